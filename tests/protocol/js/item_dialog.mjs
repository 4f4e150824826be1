// The dialog in which the page shows one item.
import { shown } from "./page_browser.mjs";

/** The text of the item. It can be filled like a text field; what it has is in `writtenIn`. */
export const editorIn = (form) => form.getByRole("textbox", { name: "Item", exact: true });

/** Returns the JSON that the editor shows, once it has drawn all of it. Only for items of a few lines: it draws those in view. */
export async function writtenIn(form) {
  const editor = await editorIn(form).elementHandle();
  const isWhole = (element) => {
    try {
      return Boolean(JSON.parse(element.innerText));
    } catch {
      return false;
    }
  };
  await form.page().waitForFunction(isWhole, editor);
  return JSON.parse(await editor.innerText());
}

/** Opens the item of the row whose cells begin with this text, and returns its dialog. `text`: what its JSON has. */
export async function openItem(page, row, text) {
  await page.getByRole("row", { name: new RegExp(row) }).getByRole("button").first().click();
  const form = page.getByRole("dialog");
  await shown(editorIn(form).getByText(text).first());
  return form;
}
