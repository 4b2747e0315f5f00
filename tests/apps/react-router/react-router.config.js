export default { appDirectory: "src" };
