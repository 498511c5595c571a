// The page where the provider's users confirm that they sign in to an app.
"use strict"

const element = id => document.getElementById(id)
const request = new URLSearchParams(location.search)
element("client").textContent = request.get("client")

function post(path) {
  return fetch(path, { method: "POST", headers: { Authorization: `Bearer ${localStorage.getItem("token")}` } })
}

function show(id, text) {
  element(id).textContent = text
  element(id).hidden = false
}

for (const button of document.querySelectorAll("[data-person]")) {
  button.onclick = async () => {
    const query = new URLSearchParams({ person: button.dataset.person, nonce: request.get("nonce") })
    const response = await post(`/provider/authorize?${query}`)
    if (!response.ok) return show("refusal", "The request is not complete.")
    const { token, user } = await response.json()
    const answer = new URLSearchParams({ id_token: token })
    if (user) answer.set("user", user)
    location.href = `/#${answer}`
  }
}

element("remove").onclick = async () => {
  const response = await post("/provider/remove")
  if (response.ok) show("remark", "The app was removed.")
  else show("refusal", "The app could not be removed.")
}
