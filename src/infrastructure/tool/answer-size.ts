import type { ToolOutcome } from '../../application/call/runnable-tool.js';
import { TOO_LARGE, toJsonValue } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';
import { readToolResult } from '../../domain/tool/content-blocks.js';
import { executionFailed, limitExceeded, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { type ContentBlock, isToolResult, ToolResult } from '../../domain/tool/tool-result.js';

/**
 * What the handler returned as an answer within its size. Text is cut with a hint how to go on; a
 * structured answer cannot be cut without breaking it, so one over the limit is refused.
 */
export function fitAnswer(
  outcome: ToolOutcome,
  maxBytes: number,
  structured: boolean,
): Result<ToolResult, ToolError> {
  if (!outcome.success) return outcome;
  const { value } = outcome;
  if (isToolResult(value)) {
    if (structured)
      return toolFailure(executionFailed('Tool execution failed: the tool promises structured output'));
    const result = readToolResult(value);
    if (!result.success) return toolFailure(executionFailed(`Tool execution failed: ${result.error}`));
    return Result.ok(
      cutText(result.value, maxBytes).withNotes(outcome.message, outcome.instruction),
      outcome.notes,
    );
  }
  const json = value === undefined ? Result.ok(undefined) : toJsonValue(value, maxBytes);
  if (!json.success) {
    return json.errorType === TOO_LARGE
      ? tooLarge(`more than ${maxBytes}`, maxBytes)
      : toolFailure(executionFailed(`Tool execution failed: ${json.error}`));
  }
  const result = ToolResult.json(Result.ok(json.value, outcome.notes).toEnvelope());
  if (fits(result.content, maxBytes)) return Result.ok(result, outcome.notes);
  return tooLarge(String(textBytes(result.content)), maxBytes);
}

function tooLarge(bytes: string, maxBytes: number): Result<never, ToolError> {
  return toolFailure(
    limitExceeded(
      `The answer has ${bytes} bytes and at most ${maxBytes} are allowed. Ask for less: a smaller limit, ` +
        'a narrower path or pattern, and the next page after it.',
    ),
  );
}

function fits(content: readonly ContentBlock[], maxBytes: number): boolean {
  let units = 0;
  for (const block of content) if (block.type === 'text') units += block.text.length;
  // No character takes more than three bytes a UTF-16 unit; most answers need no closer look.
  return units * 3 <= maxBytes || textBytes(content) <= maxBytes;
}

function textBytes(content: readonly ContentBlock[]): number {
  let bytes = 0;
  for (const block of content) {
    if (block.type === 'text') bytes += Buffer.byteLength(block.text);
  }
  return bytes;
}

function cutText(result: ToolResult, maxBytes: number): ToolResult {
  if (fits(result.content, maxBytes)) return result;
  const total = textBytes(result.content);
  let left = maxBytes;
  const blocks: ContentBlock[] = [];
  for (const block of result.content) {
    if (block.type !== 'text') {
      blocks.push(block);
    } else if (left > 0) {
      const text = firstBytes(block.text, left);
      left -= Buffer.byteLength(text);
      blocks.push({ ...block, text });
    }
  }
  const hint = `[Cut after ${maxBytes} of ${total} bytes. Ask for the rest in parts, with offset and limit where the tool has them.]`;
  const note: ContentBlock = { type: 'text', text: hint, annotations: { audience: ['assistant'] } };
  return ToolResult.of([...blocks, note], result.isError);
}

/** At most `bytes` bytes of the text, ending on a whole character. */
function firstBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const cut = Buffer.from(text.slice(0, bytes)).subarray(0, bytes).toString('utf8');
  return cut.endsWith('\ufffd') ? cut.slice(0, -1) : cut;
}
