import { planted as other } from '../presentation/imports-the-sdk.js';

export const planted = other;
