// A keyboard must reach the parts of a page that scroll, and the theme creates some of them later. Buttons at code
// blocks get distinct names.
const reach = () => {
  document.querySelectorAll(".md-typeset__scrollwrap, .md-search__scrollwrap, pre > code").forEach(
    part => { if (!part.hasAttribute("tabindex")) part.setAttribute("tabindex", "0") })
  document.querySelectorAll(".md-code__nav:not([aria-label])").forEach(
    (part, index) => part.setAttribute("aria-label", "Code " + (part.closest("[id]")?.id.match(/\d+/) ?? index)))
}
new MutationObserver(reach).observe(document.body, { childList: true, subtree: true, attributeFilter: ["tabindex"] })
reach()
