import {Screen} from "http://127.0.0.1:8080/client.js";
import {parts} from "http://127.0.0.1:8080/element.js";

// What is seen only: what is said stands in the catalog.
parts["Product.price"] = (element, {data}) => {
  element.textContent = `${data.price.toLocaleString("en")} ₩`;
};

parts["Product.off"] = (element, {data}) => {
  element.textContent = `−${data.discount} %`;
};

parts["Product.buy"] = (element) => {
  element.textContent = "Buy";
};

parts["Product.bought"] = (element, {data}) => {
  element.textContent = `✓ ${data.bought} in the cart`;
};

// A second press takes the like back.
parts["Product.like"] = (element, {data}) => {
  element.textContent = data.liked ? "♥" : "♡";
  element.dataset.input = JSON.stringify(!data.liked);
  element.setAttribute("aria-pressed", Boolean(data.liked));
};

const element = document.querySelector("broadsheet-screen");
element.addEventListener("link", (event) => {
  // A page with a router of its own goes there without loading another document.
  event.preventDefault();
  location.hash = event.detail.url;
});
element.addEventListener("problem", ({detail}) => console.log(detail.code, detail.message));
element.screen = new Screen("http://127.0.0.1:8080/v1/screens/home?client=web/1.0", {
  headers: async (problem) => {
    if (problem) sessionStorage.removeItem("token");  // a 401: the token is no longer valid
    const token = sessionStorage.getItem("token");
    return token ? {Authorization: `Bearer ${token}`} : {};
  },
});
