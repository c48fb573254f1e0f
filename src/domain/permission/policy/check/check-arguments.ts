import { brokenConstraint } from '../argument-constraint.js';
import { acceptsVariable, isVariableName } from '../command-environment.js';
import { allowsAnyProgram } from '../command-rules.js';
import { type CanonicalRequest, type DecisionRequest, type Denial, deny } from '../decision.js';
import type { ToolRules } from '../policy-layer.js';

type CommandRequest = Extract<CanonicalRequest, { kind: 'command' }>;

/** Checks the entry's rules about the arguments, with defaults included. */
export function checkArguments(tool: ToolRules, request: DecisionRequest): Denial | undefined {
  return checkConstraints(tool, request) ?? checkEnvironment(tool, request);
}

/** The same without environment variables, which a list can accept. */
export function checkConstraints(tool: ToolRules, request: DecisionRequest): Denial | undefined {
  for (const [name, constraint] of tool.arguments) {
    const value = argument(request, name);
    const issue = brokenConstraint(constraint, value);
    if (issue === undefined) continue;
    // The caller may not know a number that came from the settings.
    const got = typeof value === 'number' ? `; it is ${value}` : '';
    return argumentDenied(tool, name, `${issue}${got}`, constraint.at);
  }
  return checkModel(tool, argument(request, 'model'));
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
    const [name] = refusedArguments(tool, part);
    if (name !== undefined) return argumentDenied(tool, 'env', whyNot(name, tool));
    const [assigned] = refusedAssignments(tool, part);
    if (assigned === undefined) continue;
    return deny(
      'SHELL_SYNTAX',
      { kind: 'command', text: assigned },
      `The line sets the variable ${assigned}, and env.accept does not list it.`,
      `Leave ${assigned} out, or write env NAME=value PROGRAM where env is allowed.`,
      tool.at,
    );
  }
  return undefined;
}

/** The variables that the call sets and may not set. */
export function refusedVariables(tool: ToolRules, part: CommandRequest): readonly string[] {
  return [...new Set([...refusedArguments(tool, part), ...refusedAssignments(tool, part)])];
}

/**
 * If every program may run, a command line could set the variable as well; the shell's own variables remain
 * refused.
 */
function refusedArguments(
  { allowedCommands, obligations }: ToolRules,
  { env }: CommandRequest,
): readonly string[] {
  const anyName = allowedCommands.rules.some(allowsAnyProgram);
  return env.filter((name) => !acceptsVariable(obligations.env, name, anyName));
}

function whyNot(name: string, { allowedCommands }: ToolRules): string {
  if (!allowedCommands.rules.some(allowsAnyProgram))
    return `must not set ${name}; env.accept does not list it`;
  if (!isVariableName(name))
    return `must not set ${JSON.stringify(name.slice(0, 100))}, which is no name of a variable`;
  return `must not set ${name}, because the shell that starts the command follows it; write ${name}=… in the command line`;
}

/**
 * `NAME=value PROGRAM` is limited to variables that a caller may set; if every program may run, `env` could
 * set it as well.
 */
function refusedAssignments(
  { allowedCommands, obligations }: ToolRules,
  { assigned = [] }: CommandRequest,
): readonly string[] {
  if (allowedCommands.rules.some(allowsAnyProgram)) return [];
  // If git is allowed by name, we set its variables: they keep a repository from running programs.
  return assigned.filter((name) => name.startsWith('GIT_') || !obligations.env.accept.includes(name));
}

function argumentDenied(tool: ToolRules, name: string, issue: string, rule = tool.at): Denial {
  return deny(
    'ARGUMENT',
    { kind: 'argument', text: name },
    `${name} ${issue}.`,
    `The policy says: ${name} ${issue}.`,
    rule,
  );
}
