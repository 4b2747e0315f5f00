// Functions that run in a page: waiting until it settles, and reading its content.
({
  roots() {
    const roots = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) roots.push(element.shadowRoot);
      }
    }
    return roots;
  },

  // Return links and text as one string, which is cheap to compare with the previous one.
  look() {
    const parts = [];
    for (const root of this.roots()) {
      for (const link of root.querySelectorAll("a[href], area[href]")) {
        parts.push(link.getAttribute("href"));
      }
      const whole = root === document ? document.body : root;
      parts.push(whole ? whole.textContent : "");
    }
    return parts.join("\n");
  },

  // Wait until links and text have not changed for `quiet` ms; at most `limit` ms. Where a script
  // has gone elsewhere, it is not waited for what it would show there.
  async settle({ quiet, limit }) {
    const hands = window[Symbol.for("hands")];
    const started = performance.now();
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    let before = this.look();
    let since = started;
    for (;;) {
      await pause(Math.min(quiet / 5, limit));
      const now = performance.now();
      const after = this.look();
      if (after !== before || document.readyState === "loading") {
        before = after;
        since = now;
      }
      const enough = hands?.left.length ? quiet / 5 : quiet;
      if (now - since >= enough || now - started >= limit) return;
    }
  },

  // Return whether the page seems unfinished: an empty root element of an application, hardly any
  // content, or a sign that something is loading. Also the number of timers that fire within
  // `within` ms, and the first response with an error.
  outlook({ roots, words, minimum, within }) {
    const nothing = { unfinished: false, timers: 0, links: 0, length: 0, failed: null };
    if (!document.body) return nothing; // XML
    const text = this.text();
    const has = (element) =>
      element.shadowRoot !== null || element.querySelector(this.filled) !== null;
    const isEmpty = (element) => !this.text(element) && !has(element);
    const mounts = [...roots, "main", "[role=main]"].flatMap((selector) =>
      [...document.querySelectorAll(selector)],
    );
    const isBare = text.length < minimum && !this.hasLinks();
    const isUnfinished = isBare || mounts.some(isEmpty) || this.isLoading(text, words, minimum);
    const timers = window[Symbol.for("timers")] || new Map();
    const end = performance.now() + within;
    const failed = performance
      .getEntriesByType("resource")
      .find(({ responseStatus }) => responseStatus >= 400);
    return {
      unfinished: isUnfinished,
      timers: [...timers.values()].filter((fires) => fires <= end).length,
      links: document.querySelectorAll("a[href], area[href]").length,
      length: text.length,
      failed: failed && isUnfinished ? [failed.responseStatus, failed.name] : null,
    };
  },

  filled: "a[href], button, canvas, embed, form, iframe, img, input, object, picture, svg, video",

  hasLinks() {
    return this.roots().some((root) => root.querySelector("a[href], area[href]") !== null);
  },

  // Return the text, without code.
  text(element = document.body) {
    if (!element) return "";
    if (!element.querySelector("script, style, noscript")) return element.textContent.trim();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
      /^(SCRIPT|STYLE|NOSCRIPT)$/.test(node.parentElement.tagName)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    const parts = [];
    while (walker.nextNode()) parts.push(walker.currentNode.data);
    return parts.join("").trim();
  },

  // Return whether a visible element shows, by role, class or word, that content is loading.
  isLoading(text, words, minimum) {
    const isSmall = (element, most) => this.text(element).length < most;
    const isSeen = (element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const signs = document.querySelectorAll(
      "[aria-busy=true], [role=progressbar]:not([aria-valuenow]), progress:not([value])",
    );
    if ([...signs].some((sign) => isSmall(sign, minimum) && isSeen(sign))) return true;
    const names = [...words, "skeleton"].map((word) => CSS.escape(word));
    const named = document.body.querySelectorAll(
      names.map((name) => `[class*="${name}" i]:not(img)`).join(),
    );
    const isNamed = new RegExp(`(^|[^a-z])(${names.join("|")})`);
    for (const element of [...named].slice(0, 200)) {
      const name = String(element.getAttribute("class")).replace(/([a-z])(?=[A-Z])/g, "$1-");
      if (isNamed.test(name.toLowerCase()) && isSmall(element, 60) && isSeen(element)) return true;
    }
    if (!words.some((word) => text.toLowerCase().includes(word))) return false;
    for (const element of document.body.querySelectorAll(
      ":is(article, aside, div, footer, header, main, nav, section, p, span, li, td):not(:has(*))",
    )) {
      const says = element.textContent.trim().toLowerCase();
      if (says.length <= 60 && words.some((word) => says.startsWith(word)) && isSeen(element)) {
        return true;
      }
    }
    return false;
  },

  // Return the document as HTML: shadow roots as declarative ones, frames without a URL as part of
  // it (others are pages of their own). Content for browsers without scripts is left out.
  async read({ limit }) {
    for (const element of document.querySelectorAll("noscript")) element.remove();
    const shadowRoots = this.roots().filter((root) => root !== document);
    const inner = (element) =>
      element.getHTML ? element.getHTML({ shadowRoots }) : element.innerHTML;
    let html = inner(document.documentElement);
    const frames = [];
    for (const frame of document.querySelectorAll("iframe")) {
      const source = frame.getAttribute("src") || "about:blank";
      if (!/^(about|javascript):/i.test(source.trim()) && !frame.hasAttribute("srcdoc")) continue;
      const body = frame.contentDocument && frame.contentDocument.body;
      if (body) frames.push(`<div>${body.innerHTML}</div>`);
    }
    const end = html.lastIndexOf("</body>");
    if (frames.length && end >= 0) html = html.slice(0, end) + frames.join("") + html.slice(end);
    const opening = document.documentElement.cloneNode(false).outerHTML;
    html = "<!DOCTYPE html>" + opening.replace(/<\/html>$/i, "") + html + "</html>";
    if (html.length > limit) html = null;
    const { routes } = this.targets();
    const tabled = await this.tabled().catch(() => []);
    const isLogin = this.isLogin();
    return { url: location.href, charset: document.characterSet, html, routes, tabled, isLogin };
  },

  // Return whether the document is a form that asks for a password, and little else.
  isLogin() {
    const fields = this.roots().flatMap((root) => [
      ...root.querySelectorAll("input[type=password]"),
    ]);
    if (!fields.some((field) => field.checkVisibility({ visibilityProperty: true }))) return false;
    const parts = [...document.querySelectorAll("nav, header, footer, aside")];
    const outer = parts.filter((part) => !part.parentElement.closest("nav, header, footer, aside"));
    const length = (element) => this.text(element).length;
    return length(document.body) - outer.reduce((sum, part) => sum + length(part), 0) < 1000;
  },

  // Return the addresses of pages that the application names in its table of routes, those with
  // parts of any value left out: SvelteKit, Next.js, React Router and Remix, vue-router and Nuxt.
  async tabled() {
    const isWhole = (path) => /^\/[^:*[\]$]*$/.test(path);
    const found = [];
    const next = window.__BUILD_MANIFEST || {};
    found.push(...(next.sortedPages || []).filter((path) => !/^\/_/.test(path)));
    const remix = window.__reactRouterManifest || window.__remixManifest || {};
    const routes = remix.routes || {};
    for (let route of Object.values(routes)) {
      const parts = [];
      for (; route && parts.length < 20; route = routes[route.parentId]) {
        parts.unshift(route.path || "");
      }
      found.push(`/${parts.filter(Boolean).join("/")}`);
    }
    for (const element of document.querySelectorAll("body, body > *")) {
      const router = element.__vue_app__?.config.globalProperties.$router;
      const paths = router ? router.getRoutes().map((route) => route.path) : [];
      found.push(...paths.filter(isWhole).map((path) => router.resolve(path).href));
    }
    const entry = [...document.scripts]
      .map((script) => /import\("([^"]+\/entry\/app\.[^"]+)"\)/.exec(script.textContent))
      .find(Boolean);
    if (entry) {
      const late = new Promise((resolve) => setTimeout(resolve, 1000, {})); // it is loaded, mostly
      const { dictionary } = await Promise.race([
        import(new URL(entry[1], document.baseURI).href),
        late,
      ]);
      const paths = Object.keys(dictionary || {});
      found.push(...paths.map((path) => path.replace(/\/\([^)]*\)/g, "") || "/"));
    }
    const paths = new Set(found.filter(isWhole).slice(0, 500));
    return [...paths].map((path) => new URL(path, location.origin).href);
  },

  // Return the targets of links: views of this document behind "#/" or "#!", and documents.
  targets() {
    const [here] = location.href.split("#");
    const routes = new Set();
    const urls = new Set();
    for (const root of this.roots()) {
      for (const link of root.querySelectorAll("a[href], area[href]")) {
        try {
          const { href, hash } = new URL(link.getAttribute("href"), document.baseURI);
          const [document_] = href.split("#");
          if (document_ !== here) urls.add(document_);
          else if (/^#[/!]/.test(hash)) routes.add(hash);
        } catch {
          // not a URL
        }
      }
    }
    return { routes: [...routes], urls: [...urls] };
  },

  show({ route }) {
    location.hash = route;
  },

  // Replace the document and its window by empty ones of the same origin, which ends timers,
  // workers and promises, also this one. Return true where that has been done.
  leave() {
    if (document.URL === "about:blank" || document.firstChild?.data === "left") return true;
    window.stop();
    addEventListener("securitypolicyviolation", () => location.replace("about:blank"), true);
    location.href = "javascript:'<!--left-->'"; // costs less, where the page's policy allows it
    return new Promise(() => {});
  },
})
