// Light or dark before the first paint: as chosen here, else as the system says.
(() => {
  const root = document.documentElement;
  let kept = null;
  try { kept = localStorage.getItem("mazzo-theme"); } catch { /* storage may be off */ }
  if (kept) root.dataset.theme = kept;
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    button?.addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("mazzo-theme", root.dataset.theme); } catch { /* then only for this page */ }
    });
  });
})();
