import { readJudged, generated } from "./test/bench/search/corpus.ts";
import { vitrine } from "./test/bench/search/vitrine.ts";
import { open } from "lmdb";
const texts = process.argv[2]==='gen'?generated(20000):[...readJudged()!.texts].sort((a,b)=>a.id-b.id);
const v=await vitrine(texts);
const env=open({path:v.store.directory,readOnly:true,maxDbs:60,encoding:'binary'});
const st:any=(env as any).getStats();
let tot=0;
for (const k of [...env.getKeys()]) { const db=env.openDB({name:String(k),encoding:'binary'}); const s:any=(db as any).getStats(); const pages=(s.treeBranchPageCount+s.treeLeafPageCount+s.overflowPages); tot+=pages; if(pages>20) console.log(String(k).padEnd(18), 'rows/product',(s.entryCount/texts.length).toFixed(2),'bytes/product',Math.round(pages*4096/texts.length),'overflow',s.overflowPages); }
console.log('live pages bytes/product',Math.round(tot*4096/texts.length),'events',Math.round(v.eventBytes/texts.length));
await v.close();
