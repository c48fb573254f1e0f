import { BACKWARD, CUES, DISMISSED_IT, HARMLESS, REFUSED_BEHIND } from './clause-cues.js';
import { optionsIn } from './option-families.js';

/** Whether what stands at a place of a sentence is wanted, refused, said by the way, granted, or merely mentioned. */
export type Polarity = 'for' | 'against' | 'aside' | 'granted' | 'neutral';

interface Turn {
  readonly from: number;
  readonly polarity: Polarity;
}

interface State {
  polarity: Polarity;
  /** The polarity to go back to when an introductory phrase ends. */
  before?: Polarity;
  cue: string;
  end: number;
  /** Where a verb of the clause stands that gives a later "from" and "to" their meaning. */
  moving: number;
  arrived: boolean;
  preferring: boolean;
}

/** Words between two cues that leave them together: "do not ever want to use". */
const TOGETHER =
  /^(?:[\s"'“]|\b(?:be|to|ever|any|a|an|the|it|longer|have|has|want|need|going|again|simply|just|of|than|people|teams|allow|let|anybody|anyone|us|you|them)\b)*$/i;

const VERBS: ReadonlySet<string> = new Set(['yes', 'no', 'move', 'swap']);
const DETERMINED = /\b(?:the|an?|our|their|its|each|this|these|old|new|of|per)\s+$/i;
const WHEN = /\b(?:when|if|once|after|before|until|where|whenever|wenn)\b/i;
/** What is there already is not what is decided on. */
const EXISTING = /\b(?:existing|old|legacy|remaining|former|abandoned)\s+(?:\S{1,20}\s+)?$/i;

/** A sentence read once from left to right for what it wants and what it refuses. */
export class SentenceReading {
  /** What it does by refusing: "delete", "skip". */
  readonly deeds: string[] = [];
  readonly #turns: Turn[] = [{ from: 0, polarity: 'neutral' }];
  readonly #refused: { readonly from: number; readonly to: number }[] = [];

  readonly #starts = [0];
  readonly #moved: { readonly from: number; readonly to: number }[] = [];

  constructor(readonly text: string) {
    let state = opened(0);
    const starts = this.#starts;
    const names = optionsIn(text);
    for (const cue of text.matchAll(CUES)) {
      // "soft delete" is a name and deletes nothing.
      if (names.some(({ from, to }) => from <= cue.index && cue.index < to)) continue;
      const [kind = '', written = ''] = Object.entries(cue.groups ?? {}).find(([, found]) => found) ?? [];
      if (VERBS.has(kind) && isNoun(text, cue.index, written)) continue;
      if (kind === 'brk') {
        state = opened(cue.index + written.length);
        starts.push(cue.index + written.length);
      } else {
        // "port X to Y": X is where it comes from.
        if (kind === 'to' && state.moving >= 0 && !state.arrived) {
          this.#moved.push({ from: state.moving, to: cue.index });
          state.arrived = true;
        }
        turn(state, kind, cue.index, text);
      }
      if (kind === 'no' && state.polarity === 'against') this.deeds.push(written);
      if (kind !== 'comma') state.end = cue.index + cue[0].length;
      this.#turns.push({ from: cue.index, polarity: state.polarity });
    }
    this.#lookBehind();
  }

  /** True where it says somewhere that something is wanted. */
  get wants(): boolean {
    return this.#turns.some(({ polarity }) => polarity === 'for');
  }

  /** A number for each part that stands for itself. */
  clauseOf(at: number): number {
    return this.#starts.findLastIndex((start) => start <= at);
  }

  at(from: number, to: number): Polarity {
    if (this.#refused.some((span) => span.from <= from && to <= span.to)) return 'against';
    let low = 0;
    let high = this.#turns.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#turns[middle]?.from ?? 0) <= from) low = middle;
      else high = middle - 1;
    }
    return this.#turns[low]?.polarity ?? 'neutral';
  }

  /** As at(), of a thing that could be decided on. */
  ofOption(from: number, to: number): Polarity {
    const polarity = this.at(from, to);
    if (EXISTING.test(this.text.slice(Math.max(0, from - 30), from))) return 'aside';
    return this.isMoved(from) && polarity !== 'against' ? 'aside' : polarity;
  }

  /** True of what is moved to somewhere else. */
  private isMoved(from: number): boolean {
    return this.#moved.some((span) => span.from <= from && from < span.to);
  }

  /** "X and Y were rejected": the subject is refused by what stands behind it. */
  #lookBehind(): void {
    const starts = this.#starts;
    for (const found of this.text.matchAll(REFUSED_BEHIND)) {
      const clause = starts.findLast((start) => start <= found.index) ?? 0;
      const comma = subjectStart(this.text.slice(clause, found.index));
      const from = clause + comma;
      // "when a booking is cancelled" says when, and refuses nothing.
      if (WHEN.test(this.text.slice(from, found.index))) continue;
      const previous = starts[starts.indexOf(clause) - 1] ?? clause;
      const isPronoun = BACKWARD.test(this.text.slice(from, found.index));
      this.#refused.push({ from: isPronoun ? previous : from, to: found.index });
    }
    const dismissed = DISMISSED_IT.exec(this.text);
    if (dismissed !== null) this.#refused.push({ from: 0, to: dismissed.index });
  }
}

/** "the store", "an old save game": no verb stands there. */
function isNoun(text: string, at: number, written: string): boolean {
  return !/(?:ing|ed)$/i.test(written) && DETERMINED.test(text.slice(Math.max(0, at - 12), at));
}

function opened(end: number): State {
  return { polarity: 'neutral', cue: '', end, moving: -1, arrived: false, preferring: false };
}

/** Behind the last comma that follows a verb; a list of names has none. */
function subjectStart(text: string): number {
  const comma = text.lastIndexOf(',');
  if (comma === -1) return 0;
  return /\b(?:is|are|was|were|will|must|use[sd]?|has|have|shall|should)\b/i.test(text.slice(0, comma))
    ? comma + 1
    : 0;
}

function turn(state: State, kind: string, index: number, text: string): void {
  const rest = text.slice(index, index + 60);
  const together = TOGETHER.test(text.slice(state.end, index).slice(-60));
  const refused = state.polarity === 'against';
  if ((state.polarity === 'aside' || state.polarity === 'granted') && kind !== 'comma') return;
  switch (kind) {
    case 'aside':
    case 'granted':
      state.before = state.polarity;
      set(state, kind, kind);
      return;
    case 'comma':
      // "Unlike X, …" and "…, because Z, …" end with their comma.
      if (
        state.before !== undefined &&
        (state.polarity === 'aside' || state.polarity === 'granted' || state.cue === 'opening link')
      ) {
        set(state, state.before, 'comma');
        delete state.before;
      }
      return;
    case 'weigh':
      set(state, 'aside', kind);
      return;
    case 'not':
      if (!HARMLESS.test(rest.replace(/^\S+/, ''))) set(state, 'against', kind);
      return;
    case 'no':
    case 'swap':
      // "never skip", "do not replace": two refusals are none.
      set(state, refused && together ? 'for' : 'against', kind);
      return;
    case 'link':
      state.before = state.polarity;
      set(
        state,
        refused && state.cue !== 'link' ? 'for' : 'against',
        state.end === 0 && index === 0 ? 'opening link' : kind,
      );
      return;
    default:
      softTurn(state, kind, index, { refused, together });
  }
}

interface Before {
  readonly refused: boolean;
  readonly together: boolean;
}

function softTurn(state: State, kind: string, index: number, { refused, together }: Before): void {
  switch (kind) {
    case 'move':
      state.moving = index;
      if (!(refused && together)) set(state, 'neutral', kind);
      return;
    case 'from':
      if (state.moving >= 0) set(state, 'against', kind);
      return;
    case 'over':
      if (state.preferring) set(state, 'against', kind);
      return;
    case 'prefer':
    case 'yes':
      state.preferring = kind === 'prefer';
      // "do not use", "stop using": the wanting word belongs to the refusing one.
      if (!(refused && together && state.cue !== 'swap')) set(state, 'for', kind);
      return;
    case 'to':
      if (!refused || state.moving >= 0 || state.cue === 'swap') set(state, 'for', kind);
      return;
    case 'light':
      if (!refused || state.cue === 'swap') set(state, 'for', state.cue || kind);
      return;
  }
}

function set(state: State, polarity: Polarity, cue: string): void {
  state.polarity = polarity;
  state.cue = cue;
}
