// Where the user is: the browser's Back, scroll positions, and grids of which only what is near the view is made.
"use strict"

// A view that can be left and a sheet add an entry to the browser's history; Back takes it away, and so does leaving them.
let isDeep = history.state?.isDeep ?? false, isReturning = false
function followDepth() {
  const isInside = Boolean(root.querySelector("[data-back], dialog"))
  if (isInside === isDeep) return
  isDeep = isInside
  if (isInside) return history.pushState({ isDeep }, "")
  isReturning = true
  history.back()
}
addEventListener("popstate", event => {
  if (isReturning) return isReturning = false
  if (event.state?.isDeep) {
    // Forward, to a view that is not there any more.
    return isReturning = true, history.back()
  }
  if (!isDeep) return
  const sheet = [...root.querySelectorAll("dialog")].at(-1)
  if (sheet) return history.pushState({ isDeep }, ""), dismiss(sheet)
  isDeep = false
  root.querySelector("[data-back]")?.click()
})

const rowsAround = 3
const scrolls = new Map(Object.entries(JSON.parse(sessionStorage.getItem("scrolls") ?? "{}")))
addEventListener("pagehide", () => sessionStorage.setItem("scrolls", JSON.stringify(Object.fromEntries(scrolls))))
history.scrollRestoration = "manual"

// Keeps room for the tiles of a grid that are not made, and asks for those that come into view.
function layGrid(grid) {
  const style = getComputedStyle(grid), columns = style.gridTemplateColumns.split(" ").length
  const count = Number(grid.dataset.count), first = Number(grid.dataset.first), made = grid.childElementCount
  if (made) grid.rowHeight = grid.firstElementChild.offsetHeight + parseFloat(style.rowGap)
  if (!grid.rowHeight) return
  const rowsBefore = Math.floor(first / columns), rowsMade = Math.ceil(made / columns)
  grid.style.paddingTop = `${rowsBefore * grid.rowHeight}px`
  grid.style.paddingBottom = `${Math.max(0, Math.ceil(count / columns) - rowsBefore - rowsMade) * grid.rowHeight}px`
  const { top } = grid.getBoundingClientRect()
  const from = rows => Math.max(0, Math.floor(-top / grid.rowHeight) - rows) * columns
  const to = rows => Math.min(count, (Math.ceil((innerHeight - top) / grid.rowHeight) + rows) * columns)
  if (from(1) >= first && to(1) <= first + made && first % columns === 0) return
  const range = `${from(rowsAround)} ${to(rowsAround)}`
  if (grid.asked === range && performance.now() - grid.askedAt < 1000) return
  Object.assign(grid, { asked: range, askedAt: performance.now() })
  send({ kind: "range", id: grid.id, numbers: [from(rowsAround), Math.max(0, to(rowsAround) - from(rowsAround))] })
}

let isLayingGrids = false
function layGrids() {
  if (isLayingGrids) return
  isLayingGrids = true
  requestAnimationFrame(() => {
    isLayingGrids = false
    for (const grid of root.querySelectorAll("[data-count]")) {
      scrolls.set(grid.id, scrollY)
      layGrid(grid)
    }
  })
}
for (const kind of ["scroll", "resize"]) addEventListener(kind, layGrids, { passive: true })

// A grid that comes back is where it was left.
function showGrid(grid) {
  layGrid(grid)
  scrollTo(0, scrolls.get(grid.id) ?? 0)
  layGrid(grid)
}

// What a view was opened with has the focus again once the view is left, unless the user has gone on meanwhile.
// A tile may be made only later.
function returnFocus() {
  const opener = !isDeep && nodes.get(scrolls.get("left"))
  if (!opener) return
  scrolls.delete("left")
  if ([root, document.body].includes(document.activeElement))
    opener.focus({ preventScroll: Boolean(opener.closest("[data-count]")) })
}
