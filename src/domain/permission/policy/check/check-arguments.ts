import { brokenConstraint } from '../argument-constraint.js';
import { allowsAnyProgram } from '../command-rules.js';
import { type DecisionRequest, type Denial, deny } from '../decision.js';
import type { ToolRules } from '../policy-layer.js';
import { suggestEntry } from '../suggested-entry.js';

/** What the entry asks of the arguments themselves. They are the ones the call would run with, defaults included. */
export function checkArguments(tool: ToolRules, request: DecisionRequest): Denial | undefined {
  for (const [name, constraint] of tool.arguments) {
    const value = argument(request, name);
    const issue = brokenConstraint(constraint, value);
    if (issue === undefined) continue;
    // A number that came from the settings is news to the caller.
    const got = typeof value === 'number' ? `; it is ${value}` : '';
    return argumentDenied(tool, name, `${issue}${got}`, constraint.at);
  }
  return checkModel(tool, argument(request, 'model')) ?? checkEnvironment(tool, request);
}

function argument({ arguments: given }: DecisionRequest, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

function checkModel(tool: ToolRules, model: unknown): Denial | undefined {
  if (tool.allowedModels === undefined || typeof model !== 'string' || tool.allowedModels.allows(model)) {
    return undefined;
  }
  const allowed = tool.allowedModels.names.join(', ') || 'none';
  return argumentDenied(
    tool,
    'model',
    `must be one of the allowed models (${allowed}); it is ${JSON.stringify(model.slice(0, 100))}`,
  );
}

function checkEnvironment(tool: ToolRules, request: DecisionRequest): Denial | undefined {
  for (const part of request.requests) {
    if (part.kind !== 'command') continue;
    const name = part.env.find((candidate) => !tool.obligations.env.accept.includes(candidate));
    if (name !== undefined) {
      const entry = `tools: { ${tool.tool}: { env: { accept: [${name}] } } }`;
      return argumentDenied(
        tool,
        'env',
        `must not set ${name}; env.accept does not list it`,
        tool.at,
        suggestEntry(/^\w+$/.test(name) ? entry : undefined),
      );
    }
    const refused = checkAssigned(tool, part.assigned ?? []);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** `NAME=value PROGRAM` is for what a caller may set; where every program may run, `env` could set it as well. */
function checkAssigned(tool: ToolRules, names: readonly string[]): Denial | undefined {
  if (tool.allowedCommands.rules.some(allowsAnyProgram)) return undefined;
  const { accept } = tool.obligations.env;
  // Where git is allowed by name, its variables are ours: they keep a repository from running programs.
  const name = names.find((candidate) => candidate.startsWith('GIT_') || !accept.includes(candidate));
  if (name === undefined) return undefined;
  const entry = name.startsWith('GIT_')
    ? undefined
    : `tools: { ${tool.tool}: { env: { accept: [${name}] } } }`;
  return deny(
    'SHELL_SYNTAX',
    { kind: 'command', text: name },
    `The line sets the variable ${name}, and env.accept does not list it.`,
    `Leave ${name} out, or write env NAME=value PROGRAM where env is allowed.${suggestEntry(entry)}`,
    tool.at,
  );
}

function argumentDenied(tool: ToolRules, name: string, issue: string, rule = tool.at, entry = ''): Denial {
  return deny(
    'ARGUMENT',
    { kind: 'argument', text: name },
    `${name} ${issue}.`,
    `The policy says: ${name} ${issue}.${entry}`,
    rule,
  );
}
