// What the pages can do beyond links and forms: search while somebody types, copy, and show
// what a key may see. The key is in a variable of this tab alone: it goes out in the header
// of requests to this registry, and a reload forgets it.
"use strict";
(() => {
  const root = document.body.dataset.root;
  const find = (selector) => document.querySelector(selector);
  const notice = (text) => { find("#notice").textContent = text; };
  let key = "";
  let running = new AbortController();
  const address = () => location.pathname + location.search;
  let shown = address();

  // ask returns the page at an address, as whoever the key is of.
  const ask = async (address, as) => {
    running.abort();
    running = new AbortController();
    const headers = as ? { Authorization: `Bearer ${as}` } : {};
    const answer = await fetch(address, { headers, credentials: "omit", redirect: "error", cache: as ? "no-store" : "default", signal: running.signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.querySelector("main")) throw new Error("the answer is no page");
    return { status: answer.status, page };
  };

  // show puts a part of a page in the place of the one that is shown.
  const show = (page, selector) => {
    find(selector).replaceWith(document.adoptNode(page.querySelector(selector)));
    document.title = page.title;
    shown = address();
    decorate();
  };

  // visit goes to an address without leaving the page, so that the key is kept.
  const visit = async (address, push = true) => {
    try {
      const { status, page } = await ask(address, key);
      if (status === 401 && key) return forget("The key is no longer valid. You are signed out.");
      notice("");
      if (push) history.pushState(null, "", address);
      show(page, "main");
      find("main").focus();
      if (push) scrollTo(0, 0);
    } catch (error) {
      if (error.name !== "AbortError") notice("The registry could not be reached.");
    }
  };

  const signedIn = (yes) => {
    find("#sign-in").hidden = yes;
    find("#signed-in").hidden = !yes;
  };

  const forget = async (text = "") => {
    key = "";
    signedIn(false);
    await visit(location.href, false);
    notice(text);
  };

  const signIn = async () => {
    const field = find("#key");
    const given = field.value.trim();
    field.value = "";
    if (!/^[\x21-\x7e]+$/.test(given)) return notice("This key is not valid.");
    try {
      const { status, page } = await ask(location.href, given);
      if (status === 401) return notice("This key is not valid: there is no such key, or it was revoked or has expired.");
      if (status === 429) return notice("Too many attempts: try again in a while.");
      key = given;
      notice("");
      signedIn(true);
      show(page, "main");
      find("main").focus();
    } catch (error) {
      if (error.name !== "AbortError") notice("The registry could not be reached.");
    }
  };

  // here reports whether an address is that of a page of this registry.
  const here = (address) => {
    const to = new URL(address);
    return to.origin === location.origin && (to.pathname === root || to.pathname.startsWith(`${root}skills/`));
  };

  // asked returns the address that a form leads to, without what is empty.
  const asked = (form) => {
    const to = new URL(form.action);
    to.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== "")).toString();
    return to.href;
  };

  // search shows what is found for what stands in the form by now.
  let typed;
  const search = (form) => {
    clearTimeout(typed);
    typed = setTimeout(async () => {
      const address = asked(form);
      try {
        const { status, page } = await ask(address, key);
        if (status === 401 && key) return forget("The key is no longer valid. You are signed out.");
        if (status !== 200) return;
        history.replaceState(null, "", address);
        show(page, "#results");
      } catch (error) {
        if (error.name !== "AbortError") notice("The registry could not be reached.");
      }
    }, 150);
  };

  const copy = async (button, code) => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  };

  // decorate adds what needs a script to what is shown.
  const decorate = () => {
    for (const snippet of document.querySelectorAll(".snippet:not(:has(.copy))")) {
      const title = snippet.querySelector("h3");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "Copy";
      button.setAttribute("aria-describedby", title.id);
      button.addEventListener("click", () => copy(button, snippet.querySelector("code")));
      title.after(button);
    }
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!key || !link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (!here(link.href) || link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    visit(link.href);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.id === "sign-in") {
      event.preventDefault();
      signIn();
      return;
    }
    clearTimeout(typed);
    event.preventDefault();
    if (key) visit(asked(form));
    else location.assign(asked(form));
  });
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (form && form.id === "search" && event.target.id !== "tag") search(form);
  });
  // A jump within the page is one in the history, too, and there is nothing to fetch for it.
  addEventListener("popstate", () => { if (address() !== shown) visit(location.href, false); });
  find("#sign-out").addEventListener("click", () => forget());
  find("#session").hidden = false;
  decorate();
})();
