import { inject, injectable } from 'inversify';
import type { Permit } from '../../../domain/permission/policy/decision.js';
import type { ResourceContents } from '../../../domain/resource/resource.js';
import { Result } from '../../../domain/result.js';
import type { Session } from '../../../domain/session/session.js';
import { executionFailed, type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import { ToolResult } from '../../../domain/tool/tool-result.js';
import { PolicySource } from '../../ports/permission/policy-source.js';
import { CallJournal } from './call-journal.js';
import { foundUnder, type JournalEntry } from './journal-entry.js';

export interface FoundResource {
  readonly contents: Result<ResourceContents>;
  /**
   * The decision about the tool that shows the same; `none needed` if no tool does. undefined: no resource
   * family visible to the caller has this address.
   */
  readonly permit: Permit | 'none needed' | undefined;
}

/** The name of a read in the audit log, in place of a tool's name. */
const READ = 'resources/read';

/** Records reads of resources like calls, as the policy requires for the corresponding tool. */
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
    // Specifications of tools: a caller that lists the tools has them, and listing is not recorded either.
    if (found.permit === 'none needed') return found.contents;
    const outcome = await this.journal.record(entry, () => this.#outcome(entry, found), { inner: found });
    if (!found.contents.success) return found.contents;
    return outcome.success
      ? Result.ok(withText(found.contents.value, outcome.value))
      : Result.failure(outcome.error.message, outcome.errorType);
  }

  /** Reading changes nothing; what must be recorded first is that it is shown. */
  async #outcome(
    entry: JournalEntry,
    { contents, permit }: FoundResource,
  ): Promise<Result<ToolResult, ToolError>> {
    if (permit === undefined || permit === 'none needed') {
      const message = contents.success ? 'There is no such resource.' : contents.error;
      return toolFailure({ kind: 'not-found', message, suggestions: [] });
    }
    const { obligations } = permit;
    return this.journal.granted(entry, { granted: true, decision: permit, obligations }, async () => {
      if (!contents.success) return toolFailure(executionFailed(contents.error, { type: 'NotFoundError' }));
      return Result.ok(ToolResult.text('text' in contents.value ? contents.value.text : contents.value.blob));
    });
  }
}

function withText(contents: ResourceContents, shown: ToolResult): ResourceContents {
  const [block] = shown.content;
  return 'text' in contents && block?.type === 'text' ? { ...contents, text: block.text } : contents;
}
