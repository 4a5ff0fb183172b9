import { Seen } from './Seen.tsx';

/** A path in one line: where there is no room for all of it, its end stays, by which it differs from those beside it. */
export function PathText({ path }: { readonly path: string }) {
  const cut = Math.max(path.lastIndexOf('/', path.length - 2), path.lastIndexOf('\\', path.length - 2));
  if (cut <= 0) return <Seen text={path} />;
  return (
    <span className="path">
      <span className="path-start ellipsis" title={path}>
        <Seen text={path.slice(0, cut)} />
      </span>
      <span className="path-end ellipsis" title={path}>
        <Seen text={path.slice(cut)} />
      </span>
    </span>
  );
}
