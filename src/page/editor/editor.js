// An editor of JSON, by CodeMirror 6. It is a script of its own, which is loaded when an item is opened first.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { jsonLanguage } from "@codemirror/lang-json";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The page's colours reach into the editor as custom properties, so it follows the theme.
const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--type-key)" },
  { tag: tags.string, color: "var(--type-string)" },
  { tag: tags.number, color: "var(--type-number)" },
  { tag: tags.bool, color: "var(--type-boolean)" },
  { tag: tags.null, color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--danger)" },
]);

const look = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "0.87rem", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--accent) 22%, transparent)", outline: "none" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 14%, transparent)" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--type-binary) 30%, transparent)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--hover)", border: "1px solid var(--line)", color: "var(--muted)" },
  ".cm-wrong": { backgroundColor: "color-mix(in srgb, var(--danger) 14%, transparent)" },
  ".cm-panels": { backgroundColor: "var(--ground)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-textfield, .cm-button": { backgroundColor: "var(--surface)", backgroundImage: "none", color: "var(--text)", border: "1px solid var(--control)" },
  ".cm-panel.cm-search": { fontSize: "0.87rem", padding: "0.3rem 0.5rem" },
  ".cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label": { fontSize: "inherit", fontFamily: "inherit", color: "var(--text)" },
});

const setWrong = StateEffect.define();
/** The line on which the text is no JSON. */
const wrongLine = StateField.define({
  create: () => Decoration.none,
  update(lines, change) {
    for (const effect of change.effects) {
      if (!effect.is(setWrong)) continue;
      const line = effect.value;
      return line && line <= change.state.doc.lines
        ? Decoration.set([Decoration.line({ class: "cm-wrong" }).range(change.state.doc.line(line).from)]) : Decoration.none;
    }
    return lines.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Returns what an input replaces. Chromium says it to no event in a shadow root, but knows what is selected there. */
function selectedRange(event, root) {
  const selection = root.getSelection?.();
  return event.getTargetRanges()[0] ?? (selection?.rangeCount ? selection.getRangeAt(0) : undefined);
}

/**
 * Replaces what is selected when text is typed over it. Browsers would do it themselves, and keep the look of what was there in a style
 * attribute, which the page does not admit.
 */
function replaceSelected(event, view) {
  if (event.inputType !== "insertText" || event.isComposing || !event.data || view.state.selection.ranges.length > 1) return false;
  const range = selectedRange(event, view.root);
  if (!range || range.collapsed || !view.contentDOM.contains(range.startContainer)) return false;
  const { main } = view.state.selection;
  let from = view.posAtDOM(range.startContainer, range.startOffset);
  let to = view.posAtDOM(range.endContainer, range.endOffset);
  // Only what is in view is in the document: more may be selected.
  if (main.from <= from && main.to >= to) [from, to] = [main.from, main.to];
  else if (from <= view.viewport.from && to >= view.viewport.to) [from, to] = [0, view.state.doc.length];
  view.dispatch({
    changes: { from, to, insert: event.data }, selection: { anchor: from + event.data.length }, userEvent: "input.type", scrollIntoView: true });
  event.preventDefault();
  return true;
}

// Ctrl+Enter submits the form. Tab leaves the editor, which would otherwise hold the keyboard.
const keys = [...defaultKeymap, ...historyKeymap, ...foldKeymap, ...searchKeymap].filter(({ key }) => key !== "Mod-Enter");

/**
 * Makes an editor in `place`. `onInput(text)` is called when the user has changed the text. Its style sheet is adopted by a shadow
 * root, since the page admits no inline styles.
 */
export function createEditor({ place, label, text, onInput }) {
  const root = place.attachShadow({ mode: "open" });
  const inside = root.appendChild(document.createElement("div"));
  inside.style.height = "100%";
  let isSet = false;
  const view = new EditorView({
    parent: inside, root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), foldGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(),
        highlightSelectionMatches(), search({ top: true }), indentUnit.of("  "), jsonLanguage, syntaxHighlighting(colours), look, wrongLine,
        keymap.of(keys), EditorView.lineWrapping, EditorView.domEventHandlers({ beforeinput: replaceSelected }),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => { if (update.docChanged && !isSet) onInput(update.state.doc.toString()); }),
      ],
    }),
  });
  return {
    focus: () => view.focus(),
    select: (from, to) => view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true }),
    /** Shows another text. It can be undone, like what was typed. */
    setText(text) {
      if (text === view.state.doc.toString()) return;
      isSet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      isSet = false;
    },
    /** Marks a line, from 1; none if it is undefined. */
    markLine: (line) => view.dispatch({ effects: setWrong.of(line) }),
    destroy: () => view.destroy(),
  };
}
