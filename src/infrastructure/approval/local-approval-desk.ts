import { existsSync } from 'node:fs';
import type { ApprovalDesk } from '../../application/ports/permission/approval-desk.js';
import type { ConsentForm, ConsentPrompt } from '../../application/ports/permission/consent-prompt.js';
import type { Logger } from '../../application/ports/system/logger.js';
import type { ConsentWay } from '../../domain/permission/consent/consent-way.js';
import { runProgram } from '../process/process-starter.js';
import type { ApprovalListener } from './approval-listener.js';

const NOTICE_MS = 10_000;
const MAX_SUMMARY = 200;
/** The agent has written it, and somebody may put it into the text of a shell or of another language. */
const UNSAFE = /[^\p{L}\p{N}._,:/@-]+/gu;

export interface DeskSettings {
  readonly via: readonly ConsentWay[];
  /** A program and its arguments; `{summary}` stands for what is asked. */
  readonly notify?: readonly string[];
}

/** Asks people on this machine, through a socket that opens with the first question. */
export class LocalApprovalDesk implements ApprovalDesk {
  here: ConsentPrompt | undefined;
  #listener: ApprovalListener | undefined;
  #opening: Promise<boolean> | undefined;
  #closed = false;

  constructor(
    private readonly settings: DeskSettings,
    /** A file that is there where a PIN is set. */
    private readonly pin: string,
    private readonly listenerOf: () => Promise<ApprovalListener>,
    private readonly logger: Logger,
  ) {}

  get via(): readonly ConsentWay[] {
    return this.settings.via;
  }

  async ready(): Promise<boolean> {
    if (!existsSync(this.pin) || this.#closed) return false;
    this.#opening ??= this.#open();
    const open = await this.#opening;
    // A folder that could not be used may be usable for the next question.
    if (!open) this.#opening = undefined;
    return open;
  }

  announce({ tool, arguments: args }: ConsentForm): void {
    const [program, ...words] = this.settings.notify ?? [];
    if (program === undefined) return;
    const summary = `${tool} ${JSON.stringify(args)}`.slice(0, MAX_SUMMARY).replaceAll(UNSAFE, ' ');
    const given = words.map((word) => word.replaceAll('{summary}', () => summary));
    void runProgram(program, given, { timeoutMs: NOTICE_MS }).then(({ problem }) => {
      if (problem !== undefined) this.logger.warn('The notification command failed', { problem });
    });
  }

  close(): void {
    this.#closed = true;
    this.#listener?.close();
  }

  async #open(): Promise<boolean> {
    try {
      const listener = await this.listenerOf();
      await listener.listen();
      this.#listener = listener;
      return true;
    } catch (error) {
      this.logger.warn('Questions cannot be answered outside of the client: the socket does not open', {
        error,
      });
      return false;
    }
  }
}
