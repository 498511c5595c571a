// Fields, sheets and images.
"use strict"

const appTitle = document.title

// What an attribute means besides itself.
const attributeHooks = {
  // What the user is writing is newer than what the app repeats.
  value: (node, value) => {
    if (recent.get(node.id)?.event.value !== value) recent.delete(node.id)
    if (document.activeElement !== node || !node.dataset.edited) node.value = value ?? ""
  },
  selected: (node, value) => { node.selected = value !== null },
  src: node => node.classList.remove("missing"),
  "data-timer": (node, value) => count(node, value),
  // With few tiles all are made, and none have room kept for them.
  "data-count": (node, value) => { if (!value) node.style.padding = "" },
}

// Shows how much of an interval is left, each second until it is over, or the node shows another one.
function count(node, interval) {
  if (!interval || nodes.get(node.id) !== node || node.dataset.timer !== interval) return
  const [start, end] = interval.split(" ").map(Number)
  const left = Math.max(0, Math.min(end - Date.now(), end - start)), seconds = Math.ceil(left / 1000)
  node.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
  if (left) setTimeout(count, left % 1000 || 1000, node, interval)
}

// Completes what is new on the page.
function shown(node) {
  const all = selector => node.matches(selector) ? [node] : node.querySelectorAll(selector)
  for (const dialog of all("dialog")) {
    const heading = dialog.querySelector("[role=heading]")
    if (heading) dialog.setAttribute("aria-labelledby", heading.id)
    dialog.showModal(), dialog.querySelector("input[type=text]:focus")?.setSelectionRange(1e6, 1e6)
  }
  if (all("dialog, [popover]").length) raise()
  for (const grid of all("[data-count]")) showGrid(grid)
  offerDrafts(node)
  for (const complete of hooks.shown) complete(all)
}

root.addEventListener("input", event => {
  const field = event.target
  if (!field.matches("[data-input]")) return
  field.dataset.edited = "true"
  if (field.value.length === field.maxLength) mention(`What is beyond ${number(field.maxLength)} characters is left out.`)
  field.base ??= field.getAttribute("value")
  act({ kind: "input", id: field.id, value: field.value })
})

root.addEventListener("focusout", event => delete event.target.dataset.edited)

root.addEventListener("keydown", event => {
  if (event.key === "Enter" && !event.isComposing && event.target.matches("[data-submit]")
    && (event.target.tagName !== "TEXTAREA" || event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    act({ kind: "tap", id: event.target.id })
  }
})

addEventListener("keydown", event => {
  // A key that is held presses one button, and not those that the keyboard goes to next.
  if (event.repeat && event.key === "Enter" && event.target.closest("button, summary, [role=button]")) event.preventDefault()
  const sheet = [...document.querySelectorAll("dialog[open]")].at(-1)
  if (event.key === "Escape" && sheet && !event.isComposing) return event.preventDefault(), dismiss(sheet)
  if (!(event.ctrlKey || event.metaKey)) return
  const isWriting = event.target.matches("input:not([type=file], [type=color]), textarea")
  const key = event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase()
  const target = [...(sheet ?? root).querySelectorAll("[data-shortcut]")].find(node =>
    node.dataset.shortcut.includes(key) && (!isWriting || "takesFocus" in node.dataset))
  if (!target) return
  event.preventDefault()
  target.click()
  if ("takesFocus" in target.dataset) target.focus()
})

// The app takes a sheet away; the page only asks it to, and the user before that if a change would be lost.
let question
async function mayDiscard() {
  const dialog = question = document.getElementById("question").content.firstElementChild.cloneNode(true)
  document.body.append(dialog)
  dialog.showModal()
  raise()
  for (const button of dialog.querySelectorAll("button")) button.onclick = () => dialog.close(button.value)
  await new Promise(resolve => dialog.onclose = resolve)
  lower(dialog)
  dialog.remove()
  raise()
  if (question === dialog) question = undefined
  return dialog.returnValue === "discard"
}

async function leave(dialog, event) {
  // A browser says only some time later that one was closed.
  if (question && (question.open || question.returnValue === "discard")) return question.close()
  const isChanged = dialog && (writings(dialog).length || dialog.querySelector("[data-changed]"))
  if (!isChanged || !isOnline || await mayDiscard()) act(event)
}
const dismiss = dialog => leave(dialog, { kind: "dismiss", id: dialog.id })

root.addEventListener("cancel", event => {
  if (event.target.tagName !== "DIALOG") return
  event.preventDefault()
  if (event.cancelable) dismiss(event.target)
}, true)
// A browser closes by itself what the escape key asks it to close twice.
root.addEventListener("close", event => {
  const dialog = event.target
  if (nodes.get(dialog.id) !== dialog) return
  dialog.showModal()
  raise()
  dismiss(dialog)
}, true)

const contains = (node, { clientX: x, clientY: y }) => {
  const box = node.getBoundingClientRect()
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
}
const isBeside = event => event.target.tagName === "DIALOG"
  && ![event.target, ...document.querySelectorAll(":popover-open > *")].some(node => contains(node, event))
let pressedBeside
root.addEventListener("pointerdown", event => { pressedBeside = isBeside(event) && event.target })
root.addEventListener("click", event => {
  if (pressedBeside === event.target && isBeside(event)) dismiss(event.target)
  pressedBeside = undefined
})

root.addEventListener("error", ({ target }) => {
  target.classList.add("missing")
  target.alt = target.dataset.missing ?? target.alt
}, true)

const number = count => count.toLocaleString("en")

// Sends something that the user chose to the app.
const post = (id, query, body, onProgress) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest()
  request.open("POST",
    `/upload?${new URLSearchParams({ session: sessionStorage.getItem("session"), element: id, ...query })}`)
  request.setRequestHeader("Authorization", `Bearer ${localStorage.getItem("token")}`)
  request.upload.onprogress = event => onProgress?.(event.loaded / event.total)
  request.onload = () => resolve({ ok: request.status < 300, status: request.status, text: request.responseText })
  request.onerror = () => reject(new Error("The connection to the app was cut."))
  request.send(body)
})

// Does something that needs the app, and does it again if the app ends meanwhile.
async function untilDone(body) {
  for (let attempt = 1; ; attempt++) {
    await online()
    try {
      return await body()
    } catch (error) {
      if (attempt === 5 || error.isFinal) throw error
      // The page may learn only now that the app has ended.
      await new Promise(resolve => setTimeout(resolve, attempt * 500))
    }
  }
}

// What an app's own scripts do with what is dropped, by the value of `data-drop`.
const dropReceivers = {}
const dropTarget = event => event.target.closest?.("[data-drop]")
addEventListener("dragover", event => {
  // A file dropped beside its place must not replace the page.
  event.preventDefault()
  const target = dropTarget(event)
  event.dataTransfer.dropEffect = target ? "copy" : "none"
  for (const node of root.querySelectorAll(".dropping")) if (node !== target) node.classList.remove("dropping")
  target?.classList.add("dropping")
})
for (const end of ["drop", "dragleave"]) addEventListener(end, event => {
  event.preventDefault()
  const target = dropTarget(event)
  if (end === "dragleave" && event.relatedTarget && target?.contains(event.relatedTarget)) return
  target?.classList.remove("dropping")
  if (end !== "drop" || !target) return
  dropReceivers[target.dataset.drop](target, event)
})
