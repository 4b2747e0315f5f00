// What is asked of a page in the browser: has it settled, and what does it hold?
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

  // Links and text as one string; cheap to compare with the one before.
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

  // Wait until links and text have not changed for `quiet` ms; for `limit` ms at most.
  async settle({ quiet, limit }) {
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
      if (now - since >= quiet || now - started >= limit) return;
    }
  },

  // The document as HTML: shadow roots as declarative ones, frames without a URL of their own as
  // part of it (those with one are pages of their own). What only shows without scripts is left out.
  read({ limit }) {
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
    return { url: location.href, charset: document.characterSet, html, routes };
  },

  // Where links lead: to views of this document behind "#/" or "#!", and to other documents.
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
          // no URL
        }
      }
    }
    return { routes: [...routes], urls: [...urls] };
  },

  show({ route }) {
    location.hash = route;
  },

  // Stop what may still write something. An empty document stays, until the next page takes its
  // place.
  leave() {
    window.stop();
    const most = 1e6;
    const timers = Math.min(setTimeout(() => {}), most);
    for (let id = 0; id <= timers; id += 1) clearTimeout(id);
    const frames = Math.min(requestAnimationFrame(() => {}), most);
    for (let id = 0; id <= frames; id += 1) cancelAnimationFrame(id);
    document.open(); // takes the listeners off, too
    document.close();
    try {
      // Who clears it from outside may be overtaken by what was written last.
      localStorage.clear();
    } catch {
      // it has none
    }
  },
})
