import { Instruction } from '../../domain/instruction.js';
import { executionFailed, toolFailure } from '../../domain/tool/tool-error.js';
import type { TextPart } from './text-part.js';

export interface ReadFileQuery {
  readonly path: string;
  readonly encoding?: string;
  /** Lines to skip; counted from the end if negative. */
  readonly offset?: number;
  readonly limit?: number;
  /** Characters to skip in each line: returns long lines in parts, and notebooks as JSON. */
  readonly column?: number;
}

export type FileContent =
  | ({ readonly kind: 'text' } & TextPart)
  | { readonly kind: 'image' | 'audio'; readonly mimeType: string; readonly bytes: Uint8Array };

export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

export function unreadable(path: string, why: string) {
  return toolFailure(
    executionFailed(`${path} cannot be read as text. ${why}`, {
      type: 'EncodingError',
      instruction: Instruction.suggestRemediation('the encoding that the error names'),
    }),
  );
}
