import { inject, injectable } from 'inversify';
import type { Permit } from '../../domain/permission/policy/decision.js';
import type { ResourceContents } from '../../domain/resource/resource.js';
import { Result } from '../../domain/result.js';
import type { Session } from '../../domain/session/session.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { ToolResult } from '../../domain/tool/tool-result.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { CallJournal } from '../tool/call-journal.js';
import { foundUnder, type JournalEntry } from '../tool/journal-entry.js';

export interface FoundResource {
  readonly contents: Result<ResourceContents>;
  /**
   * What the policy said about the tool that shows the same; `none needed` where no tool does. Undefined: no
   * family that the caller may see has the address.
   */
  readonly permit: Permit | 'none needed' | undefined;
}

/** The name that a reading has in the audit log, where a call has that of its tool. */
const READ = 'resources/read';

/** Writes readings of resources into the journal of calls, under what the policy asks of the tool. */
@injectable()
export class ResourceJournal {
  constructor(
    @inject(CallJournal) private readonly journal: CallJournal,
    @inject(PolicySource) private readonly policies: PolicySource,
  ) {}

  async read(
    session: Session,
    uri: string,
    find: () => Promise<FoundResource>,
  ): Promise<Result<ResourceContents>> {
    const entry = this.journal.open(READ, { uri });
    entry.found = foundUnder(this.policies.current().policy, session);
    let found: FoundResource;
    try {
      found = await find();
    } catch (error) {
      await this.journal.close(entry, this.journal.fault(entry, error));
      throw error;
    }
    // Specifications of tools: whoever lists the tools has them, and leaves no record either.
    if (found.permit === 'none needed') return found.contents;
    const outcome = await this.#outcome(entry, found.contents, found.permit);
    await this.journal.close(entry, outcome);
    if (!found.contents.success) return found.contents;
    return outcome.success
      ? Result.ok(withText(found.contents.value, outcome.value))
      : Result.failure(outcome.error.message, outcome.errorType);
  }

  async #outcome(
    entry: JournalEntry,
    contents: Result<ResourceContents>,
    permit: Permit | undefined,
  ): Promise<Result<ToolResult, ToolError>> {
    if (!contents.success && permit === undefined) {
      return toolFailure({ kind: 'not-found', message: contents.error, suggestions: [] });
    }
    if (permit !== undefined) {
      const { obligations } = permit;
      entry.verdict = { granted: true, decision: permit, obligations };
    }
    if (!contents.success) return toolFailure(executionFailed(contents.error, { type: 'NotFoundError' }));
    // Reading changed nothing; what must be recorded first is that it is shown.
    const recorded = await this.journal.intend(entry);
    if (!recorded.success) return recorded;
    const shown = Result.ok(
      ToolResult.text('text' in contents.value ? contents.value.text : contents.value.blob),
    );
    return permit === undefined ? shown : this.journal.redacted(shown, permit.obligations);
  }
}

function withText(contents: ResourceContents, shown: ToolResult): ResourceContents {
  const [block] = shown.content;
  return 'text' in contents && block?.type === 'text' ? { ...contents, text: block.text } : contents;
}
