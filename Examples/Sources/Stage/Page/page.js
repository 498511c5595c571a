// Shows what the app says.
"use strict"

const root = document.getElementById("root")
const notice = document.getElementById("notice")
const nodes = new Map([["root", root]])
// What an app's own scripts do when the app has acknowledged events or was started again, an element was
// removed, was made what the app says, or is new, and the page has changed.
const hooks = { acknowledged: [], restarted: [], removed: [], reconciled: [], shown: [], changed: [] }

// Says something for as long as it holds, or until the user has read it; an action that returns true leaves it.
function say(key, text, actions = {}) {
  let line = notice.querySelector(`[data-key=${key}]`)
  if (!text) {
    keepingFocus(() => line?.remove())
  } else if (line) {
    if (line.firstChild.textContent !== text) line.firstChild.textContent = text
  } else {
    line = document.createElement("div")
    line.dataset.key = key
    line.append(document.createElement("span"), ...Object.entries(actions).map(([label, action]) => Object.assign(
      document.createElement("button"), { textContent: label, onclick: () => { if (!action()) say(key) } })))
    notice.append(line)
    // Once it is there: what is new is announced.
    notice.togglePopover(true)
    line.firstChild.textContent = text
  }
  notice.togglePopover(notice.childElementCount > 0)
}

// A short remark, which goes by itself.
function mention(text, key = "remark") {
  say(key, text)
  setTimeout(() => { if (notice.querySelector(`[data-key=${key}] span`)?.textContent === text) say(key) }, 8000)
}

// Has messages lie above the sheets, and be usable there: all that is outside of the topmost sheet is not.
function raise() {
  const home = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body
  if (notice.parentElement !== home) home.append(notice)
  for (const message of document.querySelectorAll("[popover]")) {
    if (root.contains(home) && !home.contains(message)) {
      // Its place is kept, as the app counts what is around it.
      message.placeholder ??= document.createElement("template")
      if (!message.placeholder.parentNode) message.replaceWith(message.placeholder)
      home.append(message)
    }
    message.togglePopover(false)
    message.togglePopover(message !== notice || message.childElementCount > 0)
  }
}

// Has messages go back from where they were raised to: they outlive the sheet that they are in, unless they are of its text.
function lower(node) {
  if (node.contains(notice)) document.body.append(notice), say("returned")
  for (const message of node.querySelectorAll(".messages")) message.placeholder?.replaceWith(message)
}

const focusable = "button, input, [tabindex='0']"
let beforeMessage
addEventListener("focusout", ({ target }) => { if (!target.closest?.("[popover]")) beforeMessage = target.id })

// What has the focus keeps it. When it is gone and nothing else has taken the focus, that goes to the view in place of
// its own, or else to the nearest control: from a message to what had it before, and from one that is turned off to the
// one before. Of an item in a list it is the first one: others may remove something.
function keepingFocus(change) {
  const focused = document.activeElement
  if (!root.contains(focused) && !notice.contains(focused)) return change()
  const panel = focused.closest("[role=tabpanel]"), wasInside = root.querySelector("[data-back]")
  const earlier = focused.closest("[popover]") ? [nodes.get(beforeMessage)] : []
  const all = [...(focused.closest("dialog") ?? root).querySelectorAll(focusable)], index = all.indexOf(focused)
  change()
  if (!wasInside && root.querySelector("[data-back]")) scrolls.set("left", focused.id)
  const hasNone = () => document.activeElement === document.body || document.activeElement.disabled
  if (hasNone()) nodes.get(focused.id)?.focus()
  if (!hasNone()) return
  const before = all.slice(0, Math.max(0, index)).reverse(), after = all.slice(index + 1)
  const row = focused.isConnected ? [...before, ...after].filter(node => node.parentElement === focused.parentElement) : []
  if (panel?.isConnected !== false && [...earlier, ...row, ...after, ...before].some(node => {
    (node?.closest("[role=listitem]")?.querySelector(focusable) ?? node)?.focus({ preventScroll: true })
    return !hasNone()
  })) return
  const view = root.querySelector("[role=tabpanel]") ?? root
  view.focus({ preventScroll: true })
  if (!root.querySelector("[data-count]")) scrollTo(0, 0)
}

// Makes a node's children what the app says, and keeps those that are there: a drag or a text in them goes on.
function reconcile(parent, elements) {
  const ids = new Set(elements.map(({ id }) => id))
  for (const child of [...parent.children]) if (nodes.has(child.id) && !ids.has(child.id)) remove(child)
  elements.forEach((element, index) => {
    const node = nodes.get(element.id)
    const { tag = "div", attributes = {}, style, text, children = [] } = element
    if (node?.parentElement !== parent || node.localName !== tag) {
      if (node) remove(node)
      return insert(element, parent, index)
    }
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index])
    const changes = node.getAttributeNames().filter(name => !(name in attributes) && !pageAttributes.has(name))
      .map(name => [name, null])
    for (const [name, value] of Object.entries(attributes))
      if (node.getAttribute(name) !== value) changes.push([name, value])
    node.style.cssText = ""
    set(node, { attributes: Object.fromEntries(changes), style,
      text: node.childElementCount || node.dataset.timer || node.textContent === (text ?? "") ? undefined : text ?? "" })
    for (const complete of hooks.reconciled) complete(node)
    reconcile(node, children)
  })
}

// What the page itself says about elements.
const pageAttributes = new Set(["id", "style", "open", "data-edited", "aria-labelledby"])

const drawings = new Set(["svg", "path", "clipPath", "text"])

function make(element) {
  const node = drawings.has(element.tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", element.tag)
    : document.createElement(element.tag ?? "div")
  node.id = element.id
  nodes.set(element.id, node)
  set(node, element)
  element.children?.forEach((child, index) => insert(child, node, index))
  return node
}

function set(node, { attributes = {}, style = {}, text }) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) node.removeAttribute(name)
    else node.setAttribute(name, value)
    attributeHooks[name]?.(node, value)
  }
  for (const [name, value] of Object.entries(style)) {
    if (value === null) node.style.removeProperty(name)
    else node.style.setProperty(name, value)
  }
  if (text === undefined) return
  node.textContent = text
  for (const complete of hooks.reconciled) complete(node)
}

function insert(element, parent, index) {
  const node = make(element)
  parent.insertBefore(node, parent.children[index] ?? null)
  if (parent.isConnected) shown(node)
}

function remove(node) {
  forget(node)
  node.placeholder?.remove()
  node.remove()
  if (node.tagName === "DIALOG") raise()
}

function forget(node) {
  keepDrafts(node)
  if (node.tagName === "DIALOG") node.close()
  lower(node)
  for (const child of [node, ...node.querySelectorAll("[id]")]) {
    nodes.delete(child.id)
    for (const letGo of hooks.removed) letGo(child)
  }
}

function apply(envelope) {
  const [[kind, patch]] = Object.entries(envelope), node = nodes.get(patch.id)
  switch (kind) {
    case "set": set(node, patch); break
    case "insert": insert(patch.element, nodes.get(patch.parent), patch.index); break
    case "remove": remove(node); break
    case "move": {
      const parent = nodes.get(patch.parent), others = [...parent.children].filter(child => child !== node)
      parent.insertBefore(node, others[patch.index] ?? null)
    }
  }
}

// What stays moves from its old place to the new one, what is new fades in, what is gone fades out.
function animate({ duration, curve }, change) {
  const timing = { duration: duration * 1000, easing: curve }
  const old = new Map([...nodes].map(([id, node]) => [id, node.getBoundingClientRect()]))
  const gone = new Map(nodes)
  keepingFocus(change)
  const moves = new Map()
  for (const [id, node] of nodes) {
    const before = old.get(id)
    if (!before) {
      if (old.has(node.parentElement?.id)) node.animate([{ opacity: 0 }, { opacity: 1 }], timing)
      continue
    }
    const after = node.getBoundingClientRect()
    moves.set(id, { x: before.x - after.x, y: before.y - after.y })
  }
  for (const [id, move] of moves) {
    // A parent carries its children along; a child only moves by what is left.
    const carried = moves.get(nodes.get(id).parentElement?.id) ?? { x: 0, y: 0 }
    const x = move.x - carried.x, y = move.y - carried.y
    if (x || y) nodes.get(id).animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], timing)
  }
  for (const [id, node] of gone) {
    if (nodes.has(id) || !old.has(id) || gone.has(node.parentElement?.id)) continue
    const place = old.get(id)
    Object.assign(node.style, { position: "fixed", left: `${place.x}px`, top: `${place.y}px`,
      width: `${place.width}px`, height: `${place.height}px`, pointerEvents: "none" })
    node.removeAttribute("id")
    node.setAttribute("aria-hidden", "true")
    document.body.append(node)
    node.animate([{ opacity: 1 }, { opacity: 0 }], timing).onfinish = () => node.remove()
  }
}

// Of a double click, the second is not for what has come into the place of what the first was for.
let clicked = {}
const tapped = ({ target }) => target.closest("[data-tap]") ?? target
for (const kind of ["mousedown", "click"]) addEventListener(kind, event => {
  if (event.detail < 2) clicked = { event, node: tapped(event) }
  else if (clicked.node !== tapped(event)) event.preventDefault(), event.stopImmediatePropagation()
}, true)

root.addEventListener("click", event => {
  const target = event.target.closest("[data-tap]")
  // A double tap asks for the second of two clicks; the keyboard's click counts as any number. Of a double click on
  // what is on or off, the second would take the first back.
  const count = Number(target?.dataset.tap || 1)
  if (!target || event.detail % count || event.detail > count && target.ariaPressed) return
  const tap = { kind: "tap", id: target.id }
  if ("cancel" in target.dataset) leave(target.closest("dialog"), tap)
  else act(tap)
})

root.addEventListener("keydown", event => {
  const target = event.target
  if (target.getAttribute("role") === "button" && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault()
    return target.click()
  }
  // Arrow keys go along the tools of a bar, and along tabs and radio buttons, which they choose, unless that ends a sheet.
  const group = target.closest("[role=tablist], [role=toolbar], [role=radiogroup]"), isRadio = target.role === "radio"
  const items = [...group?.querySelectorAll("button:enabled, a, [type=file]") ?? []], index = items.indexOf(target)
  const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: items.length - 1,
    ...isRadio && { ArrowDown: index + 1, ArrowUp: index - 1 } }[event.key]
  if (index < 0 || next === undefined) return
  event.preventDefault()
  const item = items[(next + items.length) % items.length]
  item.focus()
  if (isRadio && !("manual" in group.dataset) || item.role === "tab") item.click()
})
