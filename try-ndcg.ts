import { readJudged, readLarge, queriesFor, generated } from "./test/bench/search/corpus.ts";
import { fts5, miniSearch, miniSearchExact, orama, type Engine } from "./test/bench/search/peers.ts";
import { vitrine } from "./test/bench/search/vitrine.ts";
const dcg=(ls:number[])=>ls.reduce((s,l,i)=>s+(2**l-1)/Math.log2(i+2),0);
const j=readJudged()!;
const ndcg=(e:Engine)=>{let s=0,n=0;const per:string[]=[];for(const {query,labels} of j.queries){const ideal=dcg([...labels.values()].sort((a,b)=>b-a).slice(0,10));if(!ideal)continue;const v=dcg(e.find(query,10).ids.map(i=>labels.get(i)??0))/ideal;s+=v;n++;per.push(query+':'+v.toFixed(2));}return [s/n,n,per.join(' ')];};
const only=process.argv[2];
const peers = only==='v'?[vitrine]:[vitrine,miniSearch,miniSearchExact,orama,fts5];
for (const make of peers){const t=performance.now();const e=await (make as any)(j.texts) as Engine|undefined;if(!e){console.log('none');continue;}const t2=performance.now();const [v,n,per]=ndcg(e);console.log(e.name,'index',Math.round(t2-t),'ms','projecting' in e?Math.round((e as any).projecting):'','ndcg',(v as number).toFixed(4),n,'query ms avg',((performance.now()-t2)/(n as number)).toFixed(2));if(only)console.log(per);await e.close();}
console.log('flush',(globalThis as any).TF,'keep',(globalThis as any).TK);
