import './drop.css';
import { FileDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useApp, useHost } from '../state/context.tsx';
import { importFrom } from './importFiles.ts';

/** Files may be dropped anywhere; says so while they hover. */
export function DropOverlay() {
  const app = useApp();
  const host = useHost();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (event.dataTransfer && host) void importFrom({ app, host }, host.fromDrop(event.dataTransfer));
    };
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [app, host]);
  if (!isOver) return null;
  return (
    <div className="drop" data-testid="drop-overlay">
      <div className="drop-box">
        <FileDown size={26} strokeWidth={1.5} />
        Drop to import
      </div>
    </div>
  );
}
