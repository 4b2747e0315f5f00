// Runs in every document before its scripts. It refuses windows, notes what a script waits for
// (scrolling, clicks), and, while `isOn`, refuses whatever would leave the page or its site's GETs:
// `hands.js` switches it on before the page is touched.
(() => {
  const hands = {
    isOn: false,
    observed: new Set(), // elements whose appearance a script waits for
    clickable: new WeakSet(),
    isScrollAwaited: false,
    left: [], // URLs to which scripts would have gone
  };
  Object.defineProperty(window, Symbol.for("hands"), { value: hands });

  const wrap = (object, name, call) => {
    if (!object || typeof object[name] !== "function") return;
    object[name] = new Proxy(object[name], {
      apply: (real, self, values) => call(() => Reflect.apply(real, self, values), self, values),
    });
  };
  wrap(window, "open", (_, self, [url]) => {
    if (hands.isOn && url) hands.left.push(new URL(url, document.baseURI).href);
    return null;
  });
  wrap(IntersectionObserver.prototype, "observe", (go, self, [element]) => {
    hands.observed.add(element);
    return go();
  });
  wrap(EventTarget.prototype, "addEventListener", (go, self, [type, , options]) => {
    if (type === "click" && self instanceof Element) hands.clickable.add(self);
    const isOfPage = [undefined, window, document].includes(self);
    const isOfAll = self === document && (options === true || options?.capture); // as React does
    if (type === "scroll" && isOfPage && !isOfAll) hands.isScrollAwaited = true;
    return go();
  });

  let refusal = null;
  // A change of the address without a request is how routers leave a page. Another query of the
  // same path may belong to the list that grows; another path is refused, which keeps the page.
  for (const name of ["pushState", "replaceState"]) {
    wrap(History.prototype, name, (go, self, [, , target]) => {
      if (!hands.isOn || target === undefined || target === null) return go();
      const url = new URL(target, document.baseURI);
      if (url.pathname + url.search !== location.pathname + location.search) {
        hands.left.push(url.href);
      }
      if (url.pathname !== location.pathname) throw (refusal = new DOMException("", "AbortError"));
      return go();
    });
  }
  // A router that only logs it, as vue-router does, would show the other page under this address.
  wrap(console, "error", (go, self, values) => {
    if (hands.isOn && refusal && values.includes(refusal)) throw refusal;
    return go();
  });

  const refuse = (object, name, answer) =>
    wrap(object, name, (go) => (hands.isOn ? answer() : go()));
  for (const name of ["alert", "print"]) refuse(window, name, () => undefined);
  refuse(window, "confirm", () => false);
  refuse(window, "prompt", () => null);
  for (const name of ["submit", "requestSubmit"]) {
    refuse(HTMLFormElement.prototype, name, () => undefined);
  }
  const never = () => Promise.reject(new DOMException("", "NotAllowedError"));
  refuse(Navigator.prototype, "sendBeacon", () => false);
  refuse(Navigator.prototype, "share", never);
  refuse(window.Notification, "requestPermission", () => Promise.resolve("denied"));
  refuse(WebSocket.prototype, "send", () => undefined);
  refuse(Worker.prototype, "postMessage", () => undefined);
  for (const name of ["WebSocket", "Worker", "SharedWorker", "WebTransport"]) {
    if (!window[name]) continue;
    window[name] = new Proxy(window[name], {
      construct(real, values, target) {
        if (hands.isOn) throw new DOMException("", "SecurityError");
        return Reflect.construct(real, values, target);
      },
    });
  }
  window.addEventListener(
    "submit",
    (event) => {
      if (!hands.isOn) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
})();
