import { crc32, deflateSync } from 'node:zlib';
import type { Rng } from '../../../core/util/rng.ts';

/** A valid PNG of random grey noise, 16 to 95 pixels a side, as base64. */
export function tinyPng(rng: Rng): string {
  const width = 16 + rng.below(80);
  const height = 16 + rng.below(80);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < rows.length; at++) rows[at] = at % (width + 1) === 0 ? 0 : rng.below(256);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...chunks]).toString('base64');
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
