import { inject, injectable } from 'inversify';
import type { FileError } from '../../domain/file/file-error.js';
import { isoTime } from '../../domain/file/iso-time.js';
import { normalisePath } from '../../domain/permission/path/normal-path.js';
import { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { type FileInfo, SafeFileSystem } from '../ports/file/safe-file-system.js';
import { TextFormats } from '../ports/file/text-formats.js';
import type { FileCall } from './file-call.js';
import { fileFailure } from './file-failure.js';

export interface FileDescription {
  readonly path: string;
  readonly type: FileInfo['kind'];
  readonly size: number;
  readonly modified: string;
  readonly created: string;
  readonly accessed: string;
  /** Octal permission bits. */
  readonly mode: string;
  readonly links: number;
  readonly mime: string | null;
  readonly encoding: string | null;
  readonly link_target: string | null;
}

interface Content {
  readonly mime: string | null;
  readonly encoding: string | null;
}

const NO_CONTENT: Content = { mime: null, encoding: null };

/** Describes a file without showing its content. */
@injectable()
export class DescribeFileHandler {
  constructor(
    @inject(SafeFileSystem) private readonly files: SafeFileSystem,
    @inject(TextFormats) private readonly formats: TextFormats,
  ) {}

  async handle(given: string, call: FileCall): Promise<Result<FileDescription, ToolError>> {
    const path = call.resolve(given);
    const info = await this.files.info(path, { followLinks: false }, call.access);
    if (!info.success) return fileFailure(info.error);
    const { kind, size, mode, links, modifiedMs, createdMs, accessedMs } = info.value;
    const content = kind === 'file' ? await this.contentOf(path, call) : Result.ok(NO_CONTENT);
    if (!content.success) return fileFailure(content.error);
    return Result.ok({
      path: call.show(path),
      type: kind,
      size,
      modified: isoTime(modifiedMs),
      created: isoTime(createdMs),
      accessed: isoTime(accessedMs),
      mode: mode.toString(8).padStart(4, '0'),
      links,
      ...content.value,
      link_target: visibleTarget(path, info.value, call),
    });
  }

  private async contentOf(path: string, call: FileCall): Promise<Result<Content, FileError>> {
    const head = await this.files.readBytes(
      path,
      { offset: 0, length: this.formats.probeBytes },
      call.access,
    );
    if (!head.success) {
      // The server may not open it, or it is gone: what the directory says about it is still valid.
      const closed = head.error.kind === 'no-permission' || head.error.kind === 'not-found';
      return closed ? Result.ok(NO_CONTENT) : head;
    }
    const { bytes } = head.value;
    const media = await this.formats.probe(bytes);
    if (media.kind !== 'text') return Result.ok({ mime: media.mimeType, encoding: null });
    return Result.ok({ mime: 'text/plain', encoding: await this.encodingOf(bytes) });
  }

  private async encodingOf(bytes: Uint8Array): Promise<string | null> {
    // The last character of the part may be cut.
    for (let rest = 0; rest <= 3; rest += 1) {
      const decoded = await this.formats.decode(bytes.subarray(0, bytes.length - rest));
      if (decoded.success) return decoded.value.encoding;
    }
    return (await this.formats.detectEncoding(bytes)) ?? null;
  }
}

/** The target of a link is a path, and a path that may not be seen is not shown. */
function visibleTarget(path: string, { linkTarget }: FileInfo, call: FileCall): string | null {
  if (linkTarget === undefined) return null;
  const absolute = normalisePath(linkTarget, path.slice(0, path.lastIndexOf('/')) || '/');
  return call.access.guard.mayRead(absolute) ? linkTarget : null;
}
