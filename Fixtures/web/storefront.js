import {parts, states} from "http://127.0.0.1:8080/element.js";

parts["ProductCell.price"] = (element, {data}) => {
  element.textContent = `${data.price.toLocaleString("en")} ₩`;
};

parts["ProductCell.off"] = (element, {data}) => {
  element.textContent = `−${data.discount} %`;
};

parts["ProductCell.like"] = (element, {data}) => {
  // The button stays while the product is the same one, and so does its focus.
  const button = element.firstChild ?? element.appendChild(document.createElement("button"));
  Object.assign(button.dataset, {action: "like", input: JSON.stringify(!data.liked)});
  button.textContent = data.liked ? "♥" : "♡";
  button.setAttribute("aria-pressed", Boolean(data.liked));
  button.setAttribute("aria-label", `Like ${data.titleEn}`);
};

states.image = (element, {data}) => {
  element.textContent = data.titleEn[0];
};

const message = (words, action) => (element, problem, screen) => {
  const text = document.createElement("p");
  text.textContent = words;
  element.replaceChildren(text);
  if (!action) return;
  const button = element.appendChild(document.createElement("button"));
  button.textContent = action;
  button.onclick = () => screen.reload();
};

Object.assign(states, {
  missing: message("This shop is closed."),
  refused: message("Sign in to see this shop."),
  offline: message("You are offline.", "Try again"),
  failed: message("Something went wrong.", "Try again"),
  empty: message("Nothing here yet."),
});
