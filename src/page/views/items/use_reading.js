// The items that were read of a table so far, and reading on.
import { useEffect, useReducer, useRef } from "preact/hooks";
import { explained } from "../../lib/dynamodb.js";
import { identityOf, indexesOf } from "../../lib/key_schema.js";
import { addedPlans, readOn } from "../../lib/read_on.js";
import { inputOf } from "../read_form.jsx";

/** One read. Its items are replaced and removed as the user changes them. */
class Reading {
  items = [];
  names = new Set();  // of all attributes
  pages = 0;
  looked = 0;
  next = undefined;  // the key to read on from, if there may be more
  plan = null;
  milliseconds = 0;  // of all requests
  serverMilliseconds = undefined;  // if the server has said it of each
  isBusy = true;
  isStopped = false;
  error = undefined;

  constructor(read, input) {
    this.read = read;
    this.operation = read.operation;
    this.input = input;
  }

  get isFiltered() {
    return Boolean(this.input.FilterExpression);
  }

  add({ items, looked, plan, milliseconds, serverMilliseconds, next }) {
    for (const item of items) this.learn(item);
    this.items = this.items.concat(items);
    this.pages++;
    this.looked += looked;
    this.plan = addedPlans(this.plan, plan);
    this.milliseconds += milliseconds;
    if (serverMilliseconds !== undefined) this.serverMilliseconds = (this.serverMilliseconds ?? 0) + serverMilliseconds;
    this.next = next;
  }

  get isPaged() {
    return this.pages > 1 || Boolean(this.next);
  }

  get isAnswered() {
    return this.looked > 0 || !(this.isBusy || this.error);
  }

  learn(item) {
    for (const name in item) this.names.add(name);
  }
}

/** Returns about how many items there are to look at; undefined if that is not known. */
export function itemsOf(table, read) {
  if (read.operation === "Query") return undefined;
  return (indexesOf(table).find(({ IndexName }) => IndexName === read.index) ?? table).ItemCount;
}

/** Reads when it is called first, and whenever `read` is another. */
export function useReading(table, read) {
  const [, draw] = useReducer((turn) => turn + 1, 0);
  const shown = useRef();

  const goOn = async (wanted) => {
    const reading = shown.current;
    const isOver = () => reading.isStopped || shown.current !== reading;
    Object.assign(reading, { isBusy: true, isStopped: false, error: undefined });
    draw();
    try {
      await readOn({
        send: (input) => explained(reading.operation, input), input: reading.input, start: reading.next, wanted,
        isStopped: isOver,
        onPage: (page) => { reading.add(page); draw(); },
      });
    } catch (error) {
      reading.error = error;
    }
    reading.isBusy = false;
    draw();
  };
  const limit = Number(read.limit) || 50;
  const begin = () => {
    shown.current = new Reading(read, inputOf(table, read));
    return goOn(limit);
  };
  useEffect(() => {
    begin();
    return () => { shown.current = undefined; };  // whose answers come too late are ignored
  }, [table.TableName, JSON.stringify(read)]);

  const change = (items) => {
    shown.current.items = items;
    draw();
  };
  return {
    reading: shown.current, begin,
    more: () => goOn(limit),
    readAll: () => goOn(Infinity),
    stop() {
      shown.current.isStopped = true;
      draw();
    },
    /** Shows a new item first. */
    insert(items) {
      items.forEach((item) => shown.current.learn(item));
      change([...items, ...shown.current.items]);
    },
    /** Shows an item as it is now. */
    replace(item) {
      const identity = identityOf(table);
      const changed = identity(item);
      shown.current.learn(item);
      change(shown.current.items.map((one) => (identity(one) === changed ? item : one)));
    },
    remove(items) {
      const identity = identityOf(table);
      const gone = new Set(items.map(identity));
      change(shown.current.items.filter((item) => !gone.has(identity(item))));
    },
  };
}
