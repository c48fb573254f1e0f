import { pino } from 'pino';

export const planted = pino;
