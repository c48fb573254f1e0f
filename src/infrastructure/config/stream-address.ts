import { isLoopback } from '../../domain/loopback.js';
import { mapped, type Shape, text } from './yaml-shape.js';

const ENCRYPTED: readonly string[] = ['syslogs:', 'https:'];
const PLAIN: readonly string[] = ['syslog:', 'http:'];

/** Records hold paths and command lines, so that they leave this machine encrypted only. */
export const streamAddress: Shape<string> = mapped(text, (value, at, reading) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || url.hostname === '' || ![...ENCRYPTED, ...PLAIN].includes(url.protocol))
    return reading.report(
      at,
      'Expected an address such as syslogs://logs.example.com:6514 or https://logs.example.com:4318/v1/logs.',
    );
  if (url.username !== '' || url.password !== '')
    return reading.report(
      at,
      'Expected an address without a user name or password. Let a forwarder on this machine log in.',
    );
  if (PLAIN.includes(url.protocol) && !isLoopback(url.hostname))
    return reading.report(
      at,
      'Expected syslogs or https: records are sent unencrypted only to the loopback interface.',
    );
  return value;
});
