export default defineNuxtConfig({ srcDir: "src/", serverDir: "server/", telemetry: false });
