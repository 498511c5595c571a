// Begins a sign-in at the provider, and sends what comes back to the app.
"use strict"

const element = id => document.getElementById(id)

async function post(path, body) {
  const response = await fetch(path, {
    method: "POST", body, headers: { Authorization: `Bearer ${localStorage.getItem("token")}` } })
  if (!response.ok) throw new Error(`The app answered ${response.status}.`)
  return response.json()
}

function show(id, text) {
  element(id).textContent = text ?? ""
  element(id).hidden = !text
}

function present(outcome) {
  show("refusal", outcome.error && `${outcome.message} (${outcome.error})`)
  element("replay").hidden = !sessionStorage.callback
  if (outcome.error) return show("remark")
  element("title").textContent = `Hello, ${outcome.name}`
  show("remark", outcome.isNew ? "You have a new account." : "Welcome back.")
  for (const id of ["name", "email", "account"]) element(id).textContent = outcome[id] ?? ""
  element("user").hidden = false
}

async function attempt(action) {
  element("begin").disabled = element("replay").disabled = true
  try {
    await action()
  } catch (error) {
    show("refusal", error.message)
  }
  element("begin").disabled = element("replay").disabled = false
}

element("begin").onclick = () => attempt(async () => {
  const begun = await post("/begin")
  if (begun.error) return present(begun)
  sessionStorage.session = begun.session
  location.href = `/provider?${new URLSearchParams({ client: begun.client, nonce: begun.nonce })}`
})

element("replay").onclick = () =>
  attempt(async () => present(await post("/callback", sessionStorage.callback)))

// What follows # is sent to no server: the secret of the app's address, or the provider's answer.
const answer = new URLSearchParams(location.hash.slice(1))
if (location.hash) history.replaceState(null, "", "/")
if (answer.has("id_token")) {
  sessionStorage.callback = JSON.stringify({
    session: sessionStorage.session, token: answer.get("id_token"), user: answer.get("user") ?? undefined })
  attempt(async () => present(await post("/callback", sessionStorage.callback)))
} else if (answer.size) {
  localStorage.setItem("token", [...answer.keys()][0])
}
