import type { ArgumentValues } from '../../application/call/runnable-tool.js';
import type { Envelope, Page } from '../../domain/result.js';
import type { ContentBlock } from '../../domain/tool/tool-result.js';

/** What an envelope says of a list that was cut; as text the call itself is written out. */
export const MORE = 'There is more: call again with cursor set to page.next_cursor, or narrow the question.';

const MAX_REPEATED = 300;

/** What the server itself says, in a block of its own: nothing that a file or a program wrote is in it. */
export function serverBlock(lines: readonly string[]): readonly ContentBlock[] {
  if (lines.length === 0) return [];
  return [{ type: 'text', text: lines.join('\n'), annotations: { audience: ['assistant'] } }];
}

export function isServerBlock(block: ContentBlock): block is ContentBlock & { readonly type: 'text' } {
  const { audience = [] } = block.annotations ?? {};
  return block.type === 'text' && audience.length === 1 && audience[0] === 'assistant';
}

/** The notes of a success: for the person, for the agent, and how to get the rest. */
export function envelopeNotes(tool: string, args: ArgumentValues, envelope: Envelope): readonly string[] {
  const { message, instruction, page } = envelope;
  const paged = page?.next_cursor === undefined ? undefined : nextPage(tool, args, page, page.next_cursor);
  return [
    ...(message === undefined ? [] : [message]),
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
