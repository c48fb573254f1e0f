import type { ArgumentValues } from '../../application/call/runnable-tool.js';
import type { ShowAnswer, ShownAnswer } from '../../application/call/shown-answer.js';
import type { Envelope } from '../../domain/result.js';
import type { ContentBlock } from '../../domain/tool/tool-result.js';
import { agentNotes, serverBlocks } from './server-notes.js';
import { valueText } from './value-text.js';

/** A call that was answered, and how its tool shows answers. */
export interface ShownCall {
  readonly name: string;
  readonly args: ArgumentValues;
  readonly show: ShowAnswer | undefined;
}

/** A structured success as a model reads it: its facts, then the word for the user and the notes for the agent. */
export function successBlocks({ name, args, show }: ShownCall, envelope: Envelope): readonly ContentBlock[] {
  const { texts, notes = [] } = show?.(envelope.value, args) ?? shownValue(envelope.value);
  return [
    ...texts.map((text) => ({ type: 'text', text }) as const),
    ...serverBlocks(envelope.message, [...notes, ...agentNotes(name, args, envelope)]),
  ];
}

/** How a value reads whose tool says nothing about it. */
function shownValue(value: unknown): ShownAnswer {
  const text = value === undefined ? '' : valueText(value);
  const isNothing = typeof value === 'object' && text === '';
  return { texts: text === '' ? [] : [text], notes: isNothing ? ['Nothing found.'] : [] };
}
