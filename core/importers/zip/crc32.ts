const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let c = byte;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

/** CRC-32 as zip archives carry it (ISO 3309, reflected polynomial 0xedb88320). */
export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) c = (c >>> 8) ^ (TABLE[(c ^ (bytes[i] ?? 0)) & 0xff] ?? 0);
  return ~c >>> 0;
}
