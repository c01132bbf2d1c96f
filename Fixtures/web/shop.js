import {Screen} from "http://127.0.0.1:8080/client.js";
import {cells} from "http://127.0.0.1:8080/element.js";

const part = (parent, kind, name) => {
  const child = document.createElement(kind);
  child.className = name;
  parent.append(child);
  return child;
};

cells.ProductCell = (element, {data}) => {
  // The element may have shown another product: its parts are made once and set each time.
  if (!element.firstChild) {
    element.classList.add("product");
    for (const name of ["photo", "title", "price"]) part(element, "div", name);
    Object.assign(part(element, "button", "like").dataset, {action: "like"});
  }
  const [photo, title, price, like] = element.children;
  photo.style.backgroundColor = `hsl(${data.price % 360} 30% 85%)`;
  title.textContent = data.titleEn;
  price.textContent = `${data.price.toLocaleString("en")} ₩`;
  like.textContent = data.liked ? "♥" : "♡";
  like.setAttribute("aria-label", `Like ${data.titleEn}`);
};

cells.TopBannerCell = (element, {data}) => {
  element.classList.add("banner");
  element.textContent = data.titleEn;
};

const element = document.querySelector("broadsheet-screen");
element.addEventListener("itemselect", ({detail}) => console.log("selected", detail.item.id ?? detail.view));
element.addEventListener("problem", ({detail}) => console.log(detail.code, detail.message));
element.screen = new Screen("http://127.0.0.1:8080/v1/screens/home?client=web/1.0", {
  headers: async (problem) => {
    if (problem) sessionStorage.removeItem("token");  // a 401: the token is no longer valid
    const token = sessionStorage.getItem("token");
    return token ? {Authorization: `Bearer ${token}`} : {};
  },
});
