import { inject, injectable } from 'inversify';
import type { TemplatePart } from '../../domain/prompt/prompt-template.js';
import type { Session } from '../../domain/session/session.js';
import type { ToolResult } from '../../domain/tool/tool-result.js';
import { ToolImplementations } from '../call/pipeline/tool-implementations.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';

/** Runs the tools that a prompt names while it is rendered. */
@injectable()
export class PromptTools {
  constructor(
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(ToolImplementations) private readonly implementations: Pick<ToolImplementations, 'runIn'>,
  ) {}

  /** The tool's result, to replace the placeholder. */
  async text(
    { name, takes, written }: TemplatePart & { kind: 'run' },
    args: Readonly<Record<string, string>>,
    session: Session,
    problems: string[],
  ): Promise<string> {
    const hints = this.tools.get(name)?.tool.hints;
    // Rendering a prompt is not approved by a person, so it must neither change nor send anything.
    if (hints !== undefined && (!hints.readOnly || hints.openWorld)) {
      problems.push(`${written}: a prompt can only run tools that change nothing and stay on this machine.`);
      return written;
    }
    const given = takes.flatMap(([parameter, argument]) => {
      const value = Object.hasOwn(args, argument) ? args[argument] : undefined;
      if (value === undefined) problems.push(`${written}: ${argument} is not an argument of this prompt.`);
      return value === undefined || value === '' ? [] : [[parameter, value] as const];
    });
    const outcome = await this.implementations.runIn(session, name, Object.fromEntries(given));
    if (outcome.success) return textOf(outcome.value);
    problems.push(`${written}: ${outcome.error.message}`);
    return written;
  }
}

function textOf({ structured, content }: ToolResult): string {
  if (structured !== undefined) return JSON.stringify(structured.value, undefined, 2);
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
