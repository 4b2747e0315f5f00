// Functions that scroll a page and press its buttons. They run in the page, beside those of page.js;
// which elements are pressed, and how long it goes on, is decided outside: core/rendering/hands.py.
({
  hands: window[Symbol.for("hands")],

  // Let nothing leave the page from now on. Return its links, whether scripts wait for scrolling,
  // and whether anything may be pressed; where its text may state the size of a list, also that.
  begin(options) {
    this.hands.isOn = true;
    const isMedia = (element) =>
      /^(img|picture|video|audio|iframe|source|canvas|svg)$/i.test(element.tagName) ||
      element.querySelector("img, picture, video, iframe, svg") !== null;
    const observed = [...this.hands.observed].filter((each) => each.isConnected);
    const isEager = (each) => each.matches("a[href]") || isMedia(each);
    const eager = observed.filter(isEager); // several: links to be prefetched, lazy pictures
    const isAwaited = eager.length < observed.length || eager.length === 1;
    const isInner = this.scrollers().length > 1;
    const text = document.body ? document.body.textContent : "";
    return {
      ...this.links(),
      ...(new RegExp(options.count, "iu").test(text) ? this.stated() : {}),
      scrolls: isAwaited || isInner || this.hands.isScrollAwaited,
      presses: this.buttons(options).length > 0,
    };
  },

  // Return the text of the page, the sizes of its lists of links, and whether links lead to further
  // parts of them.
  stated() {
    const sizes = new Set();
    const isEntry = (each) => each.matches("a[href]") || each.querySelector("a[href]") !== null;
    for (const { children } of [...document.querySelectorAll("body *")].slice(0, 20000)) {
      if (children.length > 2 && [...children].every(isEntry)) sizes.add(children.length);
    }
    const text = document.body.innerText.slice(0, 50000);
    return { text, sizes: [...sizes], isPaged: this.isPaged() };
  },

  // Return whether links lead to further parts of the page's list.
  isPaged() {
    const path = location.pathname;
    return [...document.querySelectorAll("a[href], link[rel=next]")].some((link) => {
      const { pathname, search } = URL.canParse(link.href) ? new URL(link.href) : location;
      return link.rel === "next" || (pathname === path && search !== location.search);
    });
  },

  // Return the links of the page as [URL, label], those that scrolling passed as well, and URLs to
  // which scripts would have gone since the last call.
  links() {
    const found = (this.hands.found ??= new Map());
    const [here] = location.href.split("#");
    for (const root of this.roots()) {
      for (const link of root.querySelectorAll("a[href], area[href]")) {
        try {
          const [url] = new URL(link.getAttribute("href"), document.baseURI).href.split("#");
          if (url !== here && /^https?:/.test(url) && !found.has(url)) {
            found.set(url, this.label(link));
          }
        } catch {
          // not a URL
        }
      }
    }
    return { links: [...found], left: this.hands.left.splice(0) };
  },

  text({ index }) {
    return this.label(this.hands.buttons[index]);
  },

  // Return in how many ms the last timer fires that was set for the next second: what was pressed
  // may act only then, unless it has led elsewhere.
  due() {
    if (this.hands.left.length) return 0;
    const now = performance.now();
    const fires = [...window[Symbol.for("timers")].values()];
    return Math.max(0, ...fires.filter((time) => time <= now + 1000).map((time) => time - now));
  },

  label(element) {
    const name = element.labels?.[0]?.innerText || element.getAttribute("aria-label");
    const text = element.innerText || name || element.title || "";
    return text.replace(/\s+/g, " ").trim().slice(0, 200);
  },

  // Return the page and the boxes in it that can be scrolled down, the largest first.
  scrollers() {
    const boxes = [];
    const walker = document.createTreeWalker(document.body || document, NodeFilter.SHOW_ELEMENT);
    for (let count = 0; count < 5000 && walker.nextNode(); count += 1) {
      const box = walker.currentNode;
      if (box.clientHeight < 100 || box.scrollHeight < box.clientHeight + 20) continue;
      if (/^(auto|scroll|overlay)$/.test(getComputedStyle(box).overflowY)) boxes.push(box);
    }
    const isPage = (box) => box === document.scrollingElement || box === document.body;
    const size = (box) => box.clientHeight * box.clientWidth;
    const inner = boxes.filter((box) => !isPage(box)).sort((a, b) => size(b) - size(a));
    return [document.scrollingElement || document.body, ...inner.slice(0, 4)].filter(Boolean);
  },

  // Scroll down to the end in steps of a screen, and note links as they pass; at most `limit` ms and
  // `most` links. Return whether there was anywhere to go. Where a page jumps back, the next step
  // goes on from the place that was reached.
  async scroll({ limit, most }) {
    const places = (this.hands.places ??= new Map());
    const end = performance.now() + limit;
    const frame = () =>
      new Promise((resolve) => {
        requestAnimationFrame(resolve);
        setTimeout(resolve, 1000); // in a tab that paints nothing
      });
    let hasMoved = false;
    await frame(); // from here on within a frame: what observes a place sees it before a timer ends
    for (let moved = true; moved; ) {
      moved = false;
      for (const box of this.scrollers()) {
        const last = box.scrollHeight - box.clientHeight;
        const place = places.get(box) ?? 0;
        const next = Math.min(place + Math.max(0.9 * box.clientHeight, 100), last);
        box.scrollTo({ top: next, behavior: "instant" });
        if (next > place) {
          places.set(box, next);
          moved = hasMoved = true;
        }
      }
      await frame();
      await frame();
      if (this.passed() > most || performance.now() > end) break;
    }
    return hasMoved;
  },

  // Note the links of the page as it is now; return the number of all so far.
  passed() {
    const { left } = this.links();
    this.hands.left.push(...left);
    return this.hands.found.size;
  },

  // Return what a person could press and is no link, by urgency: what brings more of a list, what
  // refuses a consent, then the main content before the rest. Each has a kind (tag, role, classes,
  // part of the page), its text, and which one of those with both it is; and a mark, which it keeps
  // when scripts change its classes. Of two in each other with the same text it is the inner one: a
  // click reaches both.
  buttons({ alone, more, reject, hopeless, most }) {
    if (!document.body) return [];
    const isMore = new RegExp(more, "iu");
    const isReject = new RegExp(reject, "iu");
    const isAlone = new RegExp(alone, "iu");
    const named =
      "button, [role=button], [role=link], [role=tab], [role=menuitem], [role=menuitemradio], " +
      "[role=option], [role=radio], summary, [onclick], " +
      "[data-href], [data-url], [aria-expanded=false], a:not([href]), a[href='#'], a[href='']," +
      "a[href^='javascript:' i], option, input[type=radio]";
    const opens = ["[role=button]", "[role=tab]", "[data-toggle]", "[data-bs-toggle]"];
    const within = opens.map((sign) => `[href^='#']${sign}`).join();
    const kept =
      `a[href]:not([href='#'], [href=''], [href^='javascript:' i], ${within}), form, [download], ` +
      "[inert], [disabled], [aria-disabled=true], select[multiple], option:checked, input:checked";
    const found = [];
    const texts = new Map();
    const around = new Set();
    const counts = new Map();
    let scanned = 0;
    for (const root of this.roots()) {
      for (const element of root.querySelectorAll(root === document ? "body *" : "*")) {
        if ((scanned += 1) > 20000) break;
        const isNamed = element.matches(named) && !this.isTarget(element);
        if (!isNamed && !this.isPressable(element)) continue;
        if (!element.click && !element.matches("[role=button]")) continue; // a part of a drawing
        if (element.closest(kept) || element.parentElement?.closest("button, summary")) continue;
        const seen = element.closest("select, label") ?? element;
        if (!seen.checkVisibility({ visibilityProperty: true })) continue;
        const text = this.label(element).slice(0, 80);
        const words = `${text} ${element.getAttribute("aria-label") || ""} ${element.title || ""}`;
        const names = `${element.id} ${element.getAttribute("class") || ""}`
          .replace(/([a-z])(?=[A-Z])/g, "$1 ")
          .replace(/[-_]/g, " ");
        if (words.length <= 60 && isAlone.test(text ? words : `${words} ${names}`)) continue;
        const kind = this.kind(element);
        const name = `${kind}\n${text}`;
        const number = counts.get(name) ?? 0;
        counts.set(name, number + 1);
        texts.set(element, text);
        for (let outer = element.parentElement; outer; outer = outer.parentElement) {
          if (texts.get(outer) === text && !this.address(outer)) around.add(outer);
        }
        if (hopeless.includes(kind)) continue;
        let urgency = element.closest("main, [role=main], article") ? 2 : 3;
        if (isMore.test(words)) urgency = 1;
        if (isReject.test(words)) urgency = 0;
        found.push({
          element,
          urgency,
          button: {
            kind,
            text,
            number,
            mark: this.mark(element, text),
            isMore: urgency === 1,
            isToggle: element.matches(
              "summary, option, input, [role=tab], [role=option], [role=menuitem], " +
                "[role=menuitemradio], [role=radio], [aria-expanded], [aria-haspopup]",
            ),
          },
        });
      }
    }
    const inner = found.filter(({ element }) => !around.has(element));
    inner.sort((a, b) => a.urgency - b.urgency);
    inner.length = Math.min(inner.length, most);
    this.hands.buttons = inner.map(({ element }) => element);
    return inner.map(({ button }) => button);
  },

  // Return a number for an element with a text, always the same one as long as the document lives.
  mark(element, text) {
    const marks = (this.hands.marks ??= { last: 0, of: new WeakMap() });
    if (!marks.of.has(element)) marks.of.set(element, new Map());
    const known = marks.of.get(element);
    if (!known.has(text)) known.set(text, (marks.last += 1));
    return known.get(text);
  },

  // Return the address that an element has in its data.
  address(element) {
    return element.dataset?.href || element.dataset?.url;
  },

  // Return whether an element is only the place that a link within the page leads to.
  isTarget(element) {
    const place = "a:is([id], [name]):not([href], [role], [onclick], [title], [aria-label])";
    return element.matches(place) && !element.childElementCount && !element.textContent.trim();
  },

  // Return whether a script waits for a click on an element that is no larger than a card.
  isPressable(element) {
    const isAwaited =
      this.hands.clickable.has(element) ||
      typeof element.onclick === "function" ||
      Reflect.ownKeys(element).some((key) => this.isClick(key, element[key])) ||
      this.hasHandOfItsOwn(element);
    return isAwaited && element.querySelectorAll("a[href], button").length < 2;
  },

  // Return whether a property of an element is the handler of a framework that waits for clicks at
  // the root of the page: `__click`, `$$click`, or `{ click }` or `{ onClick }` under any name.
  isClick(key, value) {
    if (typeof value === "function") return /^[_$]+(on)?click$/i.test(String(key));
    if (value === null || typeof value !== "object" || value instanceof Node) return false;
    return ["click", "onClick"].some((name) => Object.hasOwn(value, name) && value[name]);
  },

  // Return whether the pointer becomes a hand over an element, and not over what surrounds it.
  hasHandOfItsOwn(element) {
    const isHand = (each) => getComputedStyle(each).cursor === "pointer";
    return isHand(element) && (!element.parentElement || !isHand(element.parentElement));
  },

  kind(element) {
    const words = (name) => name.replace(/([a-z])(?=[A-Z])/g, "$1-");
    const isOfState = (name) =>
      /(^|[-_])(active|current|focus(ed)?|pressed|selected)([-_]|$)/i.test(words(name));
    const field = element.closest("select, input");
    const own = field ? [field.name, ...element.classList] : [...element.classList];
    const names = own.filter((name) => !isOfState(name));
    const classes = names.map((name) => name.replace(/[0-9]+/g, "#")).sort();
    const part = element.closest("main, nav, header, footer, aside, dialog, [role=dialog]");
    const role = element.getAttribute("role") || "";
    const place = part ? part.tagName : "";
    const around = element.querySelector("a[href]") ? "a" : ""; // it may only lead where that does
    return `${element.tagName} ${role} ${classes.join(".")} ${place} ${around}`.slice(0, 200);
  },

  choose(option) {
    option.selected = true;
    for (const name of ["input", "change"]) {
      option.closest("select").dispatchEvent(new Event(name, { bubbles: true }));
    }
  },

  // Press one of the buttons that `buttons` returned last, as a pointer does, or choose an option.
  // Return whether links or text changed at once.
  async press({ index }) {
    const element = this.hands.buttons[index];
    if (!element || !element.isConnected) return false;
    const before = this.look();
    const options = { bubbles: true, cancelable: true, composed: true, view: window, button: 0 };
    for (const name of ["over", "enter", "down", "up"]) {
      element.dispatchEvent(new PointerEvent(`pointer${name}`, { ...options, isPrimary: true }));
      element.dispatchEvent(new MouseEvent(`mouse${name}`, options));
    }
    const address = this.address(element);
    if (address) this.hands.left.push(new URL(address, document.baseURI).href);
    if (element.matches("option")) this.choose(element);
    else if (element.click) element.click();
    else element.dispatchEvent(new MouseEvent("click", options)); // SVG
    for (let count = 0; count < 3; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (this.look() !== before) return true;
    }
    return false;
  },
})
