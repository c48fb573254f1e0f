/**
 * What a tool is about to do, in its caller's words. The policy decides on the canonical form of it,
 * and the guards enforce it again on what really happens.
 */
export type PermissionRequest =
  | {
      readonly kind: 'read-path';
      readonly path: string;
      readonly argument: string;
      /** One of several things asked for at once: where it is denied, the call goes on without it. */
      readonly optional?: true;
    }
  | {
      readonly kind: 'write-path';
      readonly path: string;
      readonly argument: string;
      /** What is there would be gone: whoever is asked to consent is told how much it is. */
      readonly deletes?: true;
    }
  | {
      readonly kind: 'run-command';
      readonly command: string;
      readonly args?: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'reach-host'; readonly host: string; readonly port?: number };

/** `argument` names the field the path came from, so that a refusal can point at it. */
export function readPath(path: string, argument = 'path'): PermissionRequest {
  return { kind: 'read-path', path, argument };
}

export function readOptional(path: string, argument: string): PermissionRequest {
  return { kind: 'read-path', path, argument, optional: true };
}

/** `api.example.com`, with a port where it is not the scheme's own. */
export function reachHost(address: string): PermissionRequest {
  const port = /:(\d{1,5})$/.exec(address)?.[1];
  return port === undefined
    ? { kind: 'reach-host', host: address }
    : { kind: 'reach-host', host: address.slice(0, -port.length - 1), port: Number(port) };
}

/** Asks to change the file or folder at a path. */
export function writePath(path: string, argument = 'path'): PermissionRequest {
  return { kind: 'write-path', path, argument };
}

export function deletePath(path: string, argument = 'path'): PermissionRequest {
  return { kind: 'write-path', path, argument, deletes: true };
}
