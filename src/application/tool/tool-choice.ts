import { normaliseToolName } from '../../domain/tool/tool-name.js';

/** The names or categories in `tools: { include, exclude }` of the settings. */
export interface ChosenNames {
  /** undefined: every tool. */
  readonly include?: readonly string[] | undefined;
  readonly exclude: readonly string[];
}

interface NamedTool {
  readonly name: string;
  readonly category?: string | undefined;
}

/** Which tools the settings allow on this server, whenever they are registered. */
export class ToolChoice {
  constructor(private readonly chosen: ChosenNames = { exclude: [] }) {}

  admits(tool: NamedTool): boolean {
    return this.refusal(tool) === undefined;
  }

  /** Why the server may not have the tool; undefined if it may. */
  refusal(tool: NamedTool): string | undefined {
    const { include, exclude } = this.chosen;
    if (isListed(exclude, tool)) return `\`tools.exclude\` of the settings keeps the tool ${tool.name} away.`;
    if (include === undefined || isListed(include, tool)) return undefined;
    return `\`tools.include\` of the settings does not list the tool ${tool.name} or its category.`;
  }
}

function isListed(names: readonly string[], { name, category }: NamedTool): boolean {
  return names.some((entry) => entry === category || normaliseToolName(entry) === normaliseToolName(name));
}
