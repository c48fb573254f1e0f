import { inject, injectable } from 'inversify';
import { applyEdits, EDIT_LIMITS, type TextEdit } from '../../domain/file/text-edit.js';
import { isRedactionPlaceholder } from '../../domain/redaction/redaction-placeholder.js';
import { Result } from '../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { SafeFileSystem } from '../ports/file/safe-file-system.js';
import { type DecodedText, TextFormats } from '../ports/file/text-formats.js';
import type { FileCall } from './file-call.js';
import { fileFailure } from './file-failure.js';
import { describeBytes } from './text-part.js';
import { placeholderRefused } from './write-file.js';

export interface EditFileCommand {
  readonly path: string;
  readonly edits: readonly TextEdit[];
  readonly dryRun: boolean;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** What an edit changed. */
export interface EditedFile {
  readonly diff: string;
  /** The number of places, over all edits. */
  readonly replaced: number;
}

interface Edited extends EditedFile {
  readonly bytes: Uint8Array;
}

/** Changes places in a text file, all or none, and returns the diff. */
@injectable()
export class EditFileHandler {
  constructor(
    @inject(SafeFileSystem) private readonly files: SafeFileSystem,
    @inject(TextFormats) private readonly formats: TextFormats,
  ) {}

  async handle(command: EditFileCommand, call: FileCall): Promise<Result<EditedFile, ToolError>> {
    const { path, edits } = command;
    if (edits.some((edit) => isRedactionPlaceholder(edit.newText) || isRedactionPlaceholder(edit.oldText))) {
      return placeholderRefused(path);
    }
    const target = call.resolve(path);
    const maxBytes = Math.min(MAX_BYTES, call.maxFileBytes ?? MAX_BYTES);
    if (command.dryRun) return this.preview(command, target, maxBytes, call);
    let done: EditedFile = { diff: '', replaced: 0 };
    const change = async (content: Uint8Array): Promise<Result<Uint8Array, ToolError>> => {
      const edited = await this.edit(command, content, maxBytes);
      if (!edited.success) return edited;
      const { bytes, ...changed } = edited.value;
      done = changed;
      return Result.ok(bytes);
    };
    const updated = await this.files.update(target, { maxBytes }, change, call.access);
    if (updated.success) return Result.ok(done);
    return 'path' in updated.error ? fileFailure(updated.error) : toolFailure(updated.error);
  }

  private async preview(
    command: EditFileCommand,
    target: string,
    maxBytes: number,
    call: FileCall,
  ): Promise<Result<EditedFile, ToolError>> {
    const read = await this.files.readBytes(target, { offset: 0, length: maxBytes }, call.access);
    if (!read.success) return fileFailure(read.error);
    const { bytes, info } = read.value;
    if (info.size > bytes.length)
      return refused(command.path, `It has ${describeBytes(info.size)}, too large to edit.`);
    const edited = await this.edit(command, bytes, maxBytes);
    return edited;
  }

  private async edit(
    { path, edits }: EditFileCommand,
    content: Uint8Array,
    maxBytes: number,
  ): Promise<Result<Edited, ToolError>> {
    const decoded = await this.decode(content);
    if (!decoded.success) return refused(path, decoded.error);
    const { text, encoding } = decoded.value;
    // No encoding has more characters than bytes.
    const changed = applyEdits(text, edits, { ...EDIT_LIMITS, maxLength: maxBytes });
    if (!changed.success) {
      return toolFailure(executionFailed(changed.error.message, { type: 'EditError' }));
    }
    const { text: after, replaced } = changed.value;
    const bytes = await this.formats.encode(after, encoding);
    if (!bytes.success) return refused(path, bytes.error);
    if (bytes.value.length > maxBytes) return tooLarge(path, bytes.value.length, maxBytes);
    return Result.ok({ bytes: bytes.value, diff: await this.formats.diff(path, text, after), replaced });
  }

  /** A guessed encoding is accepted only if it reproduces every byte of the file. */
  private async decode(content: Uint8Array): Promise<Result<DecodedText>> {
    const media = await this.formats.probe(content.subarray(0, this.formats.probeBytes));
    if (media.kind !== 'text') return Result.failure(`It is ${media.mimeType} and not text.`, 'BinaryFile');
    const plain = await this.formats.decode(content);
    if (plain.success) return plain;
    const encoding = await this.formats.detectEncoding(content);
    const guessed = encoding === undefined ? plain : await this.formats.decode(content, encoding);
    if (!guessed.success) return plain;
    const again = await this.formats.encode(guessed.value.text, guessed.value.encoding);
    return again.success && equal(again.value, content) ? guessed : plain;
  }
}

function equal(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

function tooLarge(path: string, length: number, most: number) {
  const [grown, allowed] = [length, most].map(describeBytes);
  return toolFailure(
    executionFailed(`${path} would have ${grown} after the edits, and at most ${allowed} are allowed.`, {
      type: 'EditError',
    }),
  );
}

function refused(path: string, why: string) {
  return toolFailure(executionFailed(`${path} cannot be edited. ${why}`, { type: 'EncodingError' }));
}
