// Shows what an app keeps as it changes, and asks for changes.
"use strict"

const element = id => document.getElementById(id)
const rows = new Map()
const nodes = new Map()
const log = element("log")
const span = 120 // seconds of the chart
let buckets = new Array(span).fill(0)
// How long the page has counted, in seconds.
let age = 0
let isFirst = true
let socket, retryDelay = 200

// The token comes in the part of the address that no server is sent; it then leaves the address bar.
function takeToken() {
  if (location.hash.length < 2) return
  sessionStorage.setItem("token", location.hash.slice(1))
  history.replaceState(null, "", "/")
  socket?.close()
}

function connect() {
  socket = new WebSocket(`ws://${location.host}/socket`, ["keepsake", `bearer.${sessionStorage.getItem("token")}`])
  let wasOpen = false
  socket.onopen = () => { wasOpen = true; retryDelay = 200; isFirst = true; say("live", true) }
  socket.onmessage = event => receive(JSON.parse(event.data))
  socket.onclose = () => {
    say(wasOpen || rows.size ? "waiting for the app" : "open the address that the app prints", false)
    setTimeout(connect, retryDelay)
    retryDelay = Math.min(retryDelay * 1.5, 2000)
  }
}

function say(text, isLive) {
  element("state").textContent = text
  element("state").classList.toggle("live", isLive)
}

function send(request) {
  if (request.action !== "show") refuse()
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request))
}

function refuse(text) {
  element("refusal").textContent = text ?? ""
  element("refusal").hidden = !text
}

function receive(message) {
  if (message.app) {
    element("app").textContent = message.app
    document.title = `${message.app} – Console`
    for (const id of [...rows.keys()]) if (!message.rows.some(row => row.id === id)) rows.delete(id)
  }
  for (const row of message.rows) {
    const old = rows.get(row.id)
    rows.set(row.id, row)
    if (nodes.get(row.id)?.detail.hidden === false) send({ action: "show", id: row.id })
    if (!isFirst && (old?.text !== row.text || old?.digest !== row.digest)) note(row, old?.text, row.text)
  }
  for (const id of message.removed) {
    const old = rows.get(id)
    if (old) note(old, old.text)
    rows.delete(id)
  }
  if (message.undoing !== undefined) {
    element("undo").disabled = !message.undoing
    element("undo").title = message.undoing ? `Set ${message.undoing}` : ""
  }
  if (message.shown) {
    const node = nodes.get(message.shown)
    if (node) showDetail(node, message)
    return
  }
  // A refusal is about what is shown: it disappears with the next change.
  if (!isFirst && (message.rows.length || message.removed.length)) refuse()
  if (message.refusal) {
    refuse(message.refusal)
    for (const node of nodes.values()) restore(node)
  }
  isFirst = false
  render()
}

// More about a row; a value that can be changed here is in a field.
function showDetail(node, message) {
  if (document.activeElement === node.detail.firstChild) return
  node.detail.hidden = false
  if (!message.isEditable) return node.detail.replaceChildren(message.text)
  const field = document.createElement("textarea")
  field.value = message.text
  field.spellcheck = false
  field.rows = Math.min(16, message.text.split("\n").length + 1)
  field.setAttribute("aria-label", `${rows.get(node.id).name} in full`)
  field.onchange = () => send({ action: "set", id: node.id, text: field.value })
  node.detail.replaceChildren(field)
}

// What is shown of a value is what the app has, unless it is being typed over.
function restore({ input, id }) {
  const row = rows.get(id)
  if (!row) return
  if (!row.isEditable) input.textContent = row.text
  else if (document.activeElement !== input) input.value = row.text
}

function note(row, old, text) {
  buckets[span - 1] += 1
  const item = document.createElement("li")
  const time = document.createElement("time")
  time.textContent = new Date().toLocaleTimeString()
  const name = document.createElement("b")
  name.textContent = row.name
  item.append(time, name, " ")
  if (old !== undefined) {
    const was = document.createElement("span")
    was.className = "old"
    was.textContent = old
    item.append(was, " ")
  }
  item.append(text ?? "removed")
  log.prepend(item)
  while (log.children.length > 200) log.lastChild.remove()
  draw()
  const node = nodes.get(row.id)
  if (node && text !== undefined) {
    node.line.classList.add("fresh")
    setTimeout(() => node.line.classList.remove("fresh"), 400)
  }
}

// MARK: Values

function render() {
  const wanted = element("search").value.toLowerCase()
  const groups = new Map()
  for (const row of rows.values()) {
    if (wanted && !`${row.section} ${row.group ?? ""} ${row.name} ${row.text}`.toLowerCase().includes(wanted)) continue
    const title = row.group ? `${row.section}: ${row.group}` : row.section
    if (!groups.has(title)) groups.set(title, [])
    groups.get(title).push(row)
  }
  const focused = document.activeElement
  const children = [...groups].map(([title, members]) => {
    const group = document.createElement("div")
    group.className = "group"
    const heading = document.createElement("h3")
    heading.textContent = title
    const list = document.createElement("div")
    list.className = "rows"
    members.sort((a, b) => a.name < b.name ? -1 : 1)
    list.append(...members.map(line))
    group.append(heading, list)
    return group
  })
  if (!children.length) {
    const none = document.createElement("p")
    none.className = "none"
    none.textContent = wanted ? "Nothing that is kept matches." : "The app keeps nothing yet."
    children.push(none)
  }
  element("values").replaceChildren(...children)
  for (const id of [...nodes.keys()]) if (!rows.has(id)) nodes.delete(id)
  if (focused !== document.activeElement && focused.isConnected) focused.focus()
}

function line(row) {
  const old = nodes.get(row.id)
  let node = old
  if (!node || node.isEditable !== row.isEditable || node.hasDetail !== row.hasDetail) {
    node = make(row.id)
    nodes.set(row.id, node)
    if (old && row.hasDetail && !old.detail.hidden) send({ action: "show", id: row.id })
  }
  node.name.textContent = row.name
  if (row.isEditable) node.input.setAttribute("aria-label", row.name)
  node.kind.textContent = [row.kind, row.layer && `from ${row.layer}`, row.isToBeSent && "not sent"].filter(Boolean).join(", ")
  node.problem.textContent = row.problem ?? ""
  node.problem.hidden = !row.problem
  node.remove.hidden = !row.isRemovable
  restore(node)
  return node.line
}

function make(id) {
  const row = rows.get(id)
  const [line, name, input, kind, buttons, detail, problem] = ["div", "span", row.isEditable ? "input" : "output", "span", "span", "pre", "span"]
    .map(tag => document.createElement(tag))
  line.className = "row"
  name.className = "name"
  kind.className = "kind"
  problem.className = "problem"
  detail.hidden = true
  if (row.isEditable) {
    input.spellcheck = false
    input.autocomplete = "off"
    input.dataset.id = id
    input.onkeydown = event => {
      if (event.key === "Enter") input.blur()
      if (event.key === "Escape") { input.value = rows.get(id)?.text ?? ""; input.blur() }
    }
    input.onchange = () => {
      if (input.value !== rows.get(id)?.text) send({ action: "set", id, text: input.value })
    }
  }
  const button = (text, hint, action) => {
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = text
    button.setAttribute("aria-label", `${hint} ${row.name}`)
    button.onclick = action
    buttons.append(button)
    return button
  }
  const remove = button("✕", "Remove", () => send({ action: "remove", id }))
  if (row.isRecoverable) button("Recover", "Recover", () => send({ action: "recover", id }))
  if (row.hasDetail) button("Show", "Show", () => {
    if (detail.hidden) send({ action: "show", id })
    else detail.hidden = true
  })
  line.append(name, input, kind, buttons, problem, detail)
  name.dir = input.dir = detail.dir = "auto"
  return { id, line, name, input, kind, remove, problem, detail, isEditable: row.isEditable, hasDetail: row.hasDetail }
}

// MARK: The chart

function draw() {
  const chart = element("chart")
  const most = Math.max(5, ...buckets)
  chart.setAttribute("viewBox", `0 0 ${span} ${most}`)
  chart.replaceChildren(...buckets.flatMap((count, index) => {
    if (!count) return []
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect")
    bar.setAttribute("x", index)
    bar.setAttribute("y", most - count)
    bar.setAttribute("width", .8)
    bar.setAttribute("height", count)
    return [bar]
  }))
  const total = buckets.reduce((sum, count) => sum + count, 0)
  const time = age < span ? "since this page was opened" : "in the last two minutes"
  element("total").textContent = `${total} ${total === 1 ? "change" : "changes"} ${time}`
}

setInterval(() => {
  age += 1
  buckets = [...buckets.slice(1), 0]
  draw()
}, 1000)

// MARK: The rest

element("search").oninput = render
element("undo").onclick = () => send({ action: "undo" })
element("add").onsubmit = event => {
  event.preventDefault()
  send({ action: "set", id: `setting/${element("add-name").value}`, text: element("add-text").value, type: element("add-type").value })
  element("add-name").value = element("add-text").value = ""
}
document.addEventListener("keydown", event => {
  const isTyping = event.target.matches("input, select, textarea")
  if (event.key === "/" && !isTyping) {
    event.preventDefault()
    element("search").focus()
  } else if ((event.ctrlKey || event.metaKey) && event.key === "z" && !isTyping) {
    event.preventDefault()
    element("undo").click()
  }
})

addEventListener("hashchange", takeToken)
takeToken()
draw()
connect()
