// Keeps a list of the timers set by a page, in every document before its scripts run: the time at
// which each fires, in ms of the page's clock; 0 for repeating timers.
(() => {
  const timers = new Map();
  Object.defineProperty(window, Symbol.for("timers"), { value: timers });
  const watch = (name, fires) => {
    window[name] = new Proxy(window[name], {
      apply(start, self, [callback, delay, ...more]) {
        if (typeof callback !== "function") return start.call(window, callback, delay, ...more);
        const called = function (...values) {
          if (name === "setTimeout") timers.delete(id);
          return callback.apply(this, values);
        };
        const id = start.call(window, called, delay, ...more);
        timers.set(id, fires(Number(delay) || 0));
        return id;
      },
    });
  };
  const forget = (name) => {
    window[name] = new Proxy(window[name], {
      apply(stop, self, [id]) {
        timers.delete(Number(id));
        return stop.call(window, id);
      },
    });
  };
  watch("setTimeout", (delay) => performance.now() + delay);
  watch("setInterval", () => 0);
  forget("clearTimeout");
  forget("clearInterval");
})();
