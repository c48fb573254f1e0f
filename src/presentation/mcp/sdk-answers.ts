import type { JSONRPCErrorResponse, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '../../domain/json-value.js';
import { errorResponse, INTERNAL_ERROR, INVALID_PARAMS, type RpcResponse } from './json-rpc.js';

type SdkAnswer = Exclude<JSONRPCMessage, { method: string }>;

/**
 * The SDK answers params it cannot read with an internal error whose message is a dump of its own checker.
 * They are the caller's mistake, and the caller should be able to read which.
 */
export function explainSdkError(message: SdkAnswer): RpcResponse {
  if (!('error' in message)) return message;
  const issues = message.error.code === INTERNAL_ERROR ? readIssues(message.error.message) : undefined;
  if (issues !== undefined)
    return errorResponse(message.id ?? null, INVALID_PARAMS, `Invalid params: ${issues}`);
  return withId(message);
}

function withId({ id, error }: JSONRPCErrorResponse): RpcResponse {
  return errorResponse(id ?? null, error.code, error.message, error.data);
}

function readIssues(dump: string): string | undefined {
  if (!dump.startsWith('[')) return undefined;
  let issues: unknown;
  try {
    issues = JSON.parse(dump);
  } catch {
    // Not a dump after all: the message stays as it is.
    return undefined;
  }
  if (!Array.isArray(issues)) return undefined;
  return issues.slice(0, 10).map(describeIssue).join('; ');
}

function describeIssue(issue: unknown): string {
  if (!isJsonObject(issue)) return 'unreadable';
  const path = Array.isArray(issue.path) ? issue.path.join('.') : '';
  return `${path || 'params'}: ${String(issue.message ?? 'invalid')}`;
}
