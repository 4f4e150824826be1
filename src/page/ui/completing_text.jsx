// A text area that offers what may come next. Tab takes the offered word, as do the arrows and Enter; Escape declines.
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Field } from "./form.jsx";

/** Returns where the cursor is within the text area, below its line: {left, top} in pixels. */
function placeOf(area, position) {
  const style = getComputedStyle(area);
  const mirror = document.createElement("div");
  for (const name of ["font", "padding", "border", "lineHeight", "tabSize", "letterSpacing"]) mirror.style[name] = style[name];
  Object.assign(mirror.style, { position: "absolute", visibility: "hidden", whiteSpace: "pre-wrap", overflowWrap: "break-word",
    boxSizing: "border-box", width: `${area.clientWidth}px` });
  mirror.textContent = area.value.slice(0, position);
  const mark = document.createElement("span");
  mark.textContent = "\u200b";
  mirror.append(mark);
  document.body.append(mirror);
  const place = { left: mark.offsetLeft, top: mark.offsetTop + mark.offsetHeight + 2 - area.scrollTop };
  mirror.remove();
  return { left: Math.min(place.left, Math.max(area.clientWidth - 260, 0)), top: Math.min(place.top, area.clientHeight) };
}

/** `complete(text, cursor)` returns {from, options: [{text, kind}]}, `take(text, cursor, from, option)` returns {text, cursor}. */
export function CompletingText({ label, hint, value, onInput, complete, take, ...more }) {
  const [offer, setOffer] = useState();  // {from, cursor, options, at, place, moved}
  const wanted = useRef();               // where the cursor is to be after the next rendering
  const area = useRef();
  const list = useRef();
  const id = useId();
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    area.current.setSelectionRange(wanted.current, wanted.current);
    wanted.current = undefined;
  }, [value]);
  useEffect(() => list.current?.children[offer?.at]?.scrollIntoView({ block: "nearest" }), [offer?.at]);
  const close = () => setOffer(undefined);
  const look = (isAsked) => {
    const { value: text, selectionStart: cursor, selectionEnd } = area.current;
    const { from, options } = complete(text, cursor);
    const isTyped = isAsked || cursor > from || /\b(from|into|update)\s+$/i.test(text.slice(0, cursor)) || text[cursor - 1] === ".";
    if (options.length === 0 || cursor !== selectionEnd || !isTyped) close();
    else setOffer({ from, cursor, options, at: 0, place: placeOf(area.current, from), moved: isAsked });
  };
  const accept = (option) => {
    const done = take(value, offer.cursor, offer.from, option);
    wanted.current = done.cursor;
    onInput(done.text);
    close();
    area.current.focus();
  };
  const move = (step) => setOffer({ ...offer, moved: true, at: (offer.at + step + offer.options.length) % offer.options.length });
  const onKeyDown = (event) => {
    if (event.key === " " && event.ctrlKey) look(true);
    else if (!offer || event.ctrlKey || event.metaKey) return;
    else if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Escape") close();
    else if ((event.key === "Tab" && !event.shiftKey) || (event.key === "Enter" && offer.moved)) accept(offer.options[offer.at]);
    else return;
    event.preventDefault();
  };
  return (
    <Field label={label} hint={hint}>
      {(own) => (
        <div class="completing">
          <textarea spellcheck={false} autocapitalize="off" autocomplete="off" value={value} ref={area} {...more} {...own}
                    aria-autocomplete="list" aria-haspopup="listbox" aria-controls={offer && `${id}-list`}
                    aria-activedescendant={offer && `${id}-${offer.at}`} onKeyDown={onKeyDown} onBlur={close} onClick={close}
                    onInput={(event) => { onInput(event.currentTarget.value); look(false); }} />
          <span role="status" class="unseen">{offer ? `${offer.options.length} suggestions, the first is ${offer.options[0].text}` : ""}</span>
          {offer && (
            <ul role="listbox" aria-label="Suggestions" id={`${id}-list`} class="options" ref={list}
                style={{ left: `${offer.place.left}px`, top: `${offer.place.top}px` }}>
              {offer.options.map((option, index) => (
                <li key={option.text + option.kind} role="option" id={`${id}-${index}`} aria-selected={index === offer.at}
                    onPointerDown={(event) => { event.preventDefault(); accept(option); }}>
                  <span>{option.text}</span><small>{option.kind}</small>
                </li>))}
            </ul>)}
        </div>
      )}
    </Field>
  );
}
