// The dialog in which the page shows one item.
import { shown } from "./page_browser.mjs";

/** The text of the item. It can be filled like a text field; what it has is in `writtenIn`. */
export const editorIn = (form) => form.getByRole("textbox", { name: "Item", exact: true });

/** Returns the JSON that the editor shows. Only for items of a few lines: the editor draws those in view. */
export const writtenIn = async (form) => JSON.parse(await editorIn(form).innerText());

/** Opens the item of the row whose cells begin with this text, and returns its dialog. `text`: what its JSON has. */
export async function openItem(page, row, text) {
  await page.getByRole("row", { name: new RegExp(row) }).getByRole("button").first().click();
  const form = page.getByRole("dialog");
  await shown(editorIn(form).getByText(text).first());
  return form;
}
