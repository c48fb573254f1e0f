import type { ArgumentValues } from '../../application/call/runnable-tool.js';
import type { Envelope, Page } from '../../domain/result.js';
import type { ContentBlock } from '../../domain/tool/tool-result.js';

/** What an envelope says of a list that was cut; as text the call itself is written out. */
export const MORE = 'There is more: call again with cursor set to page.next_cursor, or narrow the question.';

const MAX_REPEATED = 300;

/**
 * What the server itself says, in blocks of their own: one for the user, one for the agent. Nothing that a file or a
 * program wrote is in them.
 */
export function serverBlocks(
  message: string | undefined,
  forAgent: readonly string[],
): readonly ContentBlock[] {
  return [
    ...(message === undefined || message === '' ? [] : [noteFor('user', message)]),
    ...(forAgent.length === 0 ? [] : [noteFor('assistant', forAgent.join('\n'))]),
  ];
}

function noteFor(reader: 'user' | 'assistant', text: string): ContentBlock {
  return { type: 'text', text, annotations: { audience: [reader] } };
}

export function isServerBlock(block: ContentBlock): block is ContentBlock & { readonly type: 'text' } {
  return block.type === 'text' && block.annotations?.audience?.length === 1;
}

/** The notes of a success that are for the agent: what to do next, and how to get the rest. */
export function agentNotes(tool: string, args: ArgumentValues, envelope: Envelope): readonly string[] {
  const { instruction, page } = envelope;
  const paged = page?.next_cursor === undefined ? undefined : nextPage(tool, args, page, page.next_cursor);
  return [
    ...(instruction === undefined || (paged !== undefined && instruction === MORE) ? [] : [instruction]),
    ...(paged === undefined ? [] : [paged]),
  ];
}

function nextPage(tool: string, args: ArgumentValues, { total }: Page, cursor: string): string {
  const all = total === undefined ? 'There is more.' : `There are ${total} in all.`;
  const call = JSON.stringify({ ...args, cursor });
  if (call.length <= MAX_REPEATED + cursor.length) return `${all} Next: ${tool} ${call}`;
  return `${all} Next: ${tool} with the same arguments and cursor ${JSON.stringify(cursor)}`;
}
