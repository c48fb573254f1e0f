import type { ArgumentValues } from '../../application/call/runnable-tool.js';
import type { ShowAnswer, ShownAnswer } from '../../application/call/shown-answer.js';
import type { Envelope } from '../../domain/result.js';
import type { ContentBlock } from '../../domain/tool/tool-result.js';
import { fitTokens } from './fit-tokens.js';
import { agentNotes, serverBlocks } from './server-notes.js';
import { valueText } from './value-text.js';

/** A call that was answered, and how its tool shows answers. */
export interface ShownCall {
  readonly name: string;
  readonly args: ArgumentValues;
  readonly show: ShowAnswer | undefined;
  /** Estimated; absent: any number. */
  readonly maxTokens?: number | undefined;
}

/** A structured success as a model reads it: its facts, then the word for the user and the notes for the agent. */
export function successBlocks(
  { name, args, show, maxTokens = Number.POSITIVE_INFINITY }: ShownCall,
  envelope: Envelope,
): readonly ContentBlock[] {
  const {
    texts,
    notes = [],
    keep = 'head',
    rest,
  } = show?.(envelope.value, args) ?? shownValue(envelope.value);
  const { texts: fitted, shown } = fitTokens(texts, maxTokens, keep);
  const about =
    shown === undefined ? agentNotes(name, args, envelope) : cutNotes(name, args, envelope, shown, rest);
  return [
    ...fitted.map((text) => ({ type: 'text', text }) as const),
    ...serverBlocks(envelope.message, [...notes, ...about]),
  ];
}

/** The text blocks of a tool that answers with content, within so many tokens. */
export function fittedContent(content: readonly ContentBlock[], maxTokens: number): readonly ContentBlock[] {
  const facts = content.filter(isFact);
  const { texts, shown } = fitTokens(
    facts.map(({ text }) => text),
    maxTokens,
    'head',
  );
  if (shown === undefined) return content;
  const note = `Cut: about ${percent(shown)} of the answer is shown. Ask for less, or for the rest in parts.`;
  return [
    ...texts.map((text) => ({ type: 'text', text }) as const),
    ...content.filter((block) => !isFact(block)),
    ...serverBlocks(undefined, [note]),
  ];
}

function isFact(block: ContentBlock): block is ContentBlock & { readonly type: 'text' } {
  return block.type === 'text' && block.annotations === undefined;
}

/** How to get what was cut away: the cursor of the whole page would skip it. */
function cutNotes(
  name: string,
  args: ArgumentValues,
  envelope: Envelope,
  shown: number,
  rest: string | undefined,
): readonly string[] {
  if (rest !== undefined) {
    const said = agentNotes(name, args, envelope);
    const isSaid = said.some((note) => note.includes(rest) || note.includes('The whole output, '));
    return isSaid ? said : [...said, rest];
  }
  if (!Array.isArray(envelope.value) || envelope.value.length < 2)
    return [`Cut: about ${percent(shown)} of the answer is shown. Ask for less, or for the rest in parts.`];
  const limit = Math.max(1, Math.floor(envelope.value.length * shown * LESS));
  return [
    `Cut: about ${percent(shown)} of ${envelope.value.length} entries are shown. Ask again with limit ${limit}: that part fits, and ends with the cursor for the next.`,
  ];
}

/** Entries differ in length: some fewer than the average says surely fit. */
const LESS = 0.8;

function percent(share: number): string {
  return `${Math.max(1, Math.floor(share * 100))} %`;
}

/** How a value reads whose tool says nothing about it. */
function shownValue(value: unknown): ShownAnswer {
  const text = value === undefined ? '' : valueText(value);
  const isNothing = typeof value === 'object' && text === '';
  return { texts: text === '' ? [] : [text], notes: isNothing ? ['Nothing found.'] : [] };
}
