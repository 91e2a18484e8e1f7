import{a as O,b,c as ne,d as se}from"./chunk-96857579.js";import{b as K}from"./chunk-e350af72.js";import{a as H,b as V}from"./chunk-7cd26d0b.js";import"./chunk-e8bd4cc0.js";import{a as z,b as X,c as o,d as $,e as w,f as v,g as j,i as k,j as S,k as Y,l as Q,m as T,n as W,o as D,p as q,r as N,s as Z,t as M,u as ee,v as te,w as E}from"./chunk-b47554d9.js";import"./chunk-ff9e0dca.js";function re({servers:e=[],learnedTools:t=[],learnedChanges:n=[]}){return[...e.map(({upstream:s,server:a,version:r="",begins:i="",context:c,why:l,warning:u})=>[`${s}: ${a} ${r}`.trim(),c===void 0?"":`${c} tokens of context`,Re[i],l,u].filter(Boolean).join(", ")),...t.map(({upstream:s,model:a,reason:r,dialect:i})=>{let c=i===""?"read raw":`tools in the prompt (${i})`;return`${s}, ${a||"any model"}: ${c}, because of ${oe[r]??r}`}),...n.map(({upstream:s,model:a,changes:r})=>{let i=Ce.filter(c=>r.some(l=>l[c]!==void 0));return`${s}, ${a||"any model"}: ${i.join(", ")} changed, because of ${oe.refused}`})].join(`
`)}var Ce=["messages","fields","schemas","ids","tool_choice"],Re={raw:"read raw from the first request",prompted:"tools in the prompt from the first request"},oe={refused:"a refused request",refused_calls:"a refused conversation with calls",unparsed:"the server's parser"};function ae(e,t){for(let n of e.keys()){if(e.size<=t)return;e.delete(n)}}function L(e){let{mode:t,calls:n,called:s,leftAsText:a,failed:r,lost:i,refused:c,dropped:l,repaired:u,nearMisses:p}=e,d=Object.entries(a),m=d.reduce((h,[,A])=>h+A,0),f=d.map(([h,A])=>A===1?h:`${A} ${h}`),g=d.length===1?[d[0][0]]:f,y=t==="live"?"made":"would",x=t==="live"?"":t==="dry_run"?"(not converted: dry run)":"(not converted: canary)";return[[y,n,Ne(s,n),x],["lost",i,`${i} ${b.lost.word}`],["broken",r,`${r} ${b.broken.word}`],["refused",c,`${c} ${b.refused.word}`],["near",p,T(p,"near miss","near misses")],["left",m,`${m} ${b.left.word}`,`(${g.join(", ")})`],["dropped",l,`${l} ${b.dropped.word}`],["repaired",u,T(u,"repair")]].filter(([,h])=>h>0).map(([h,,A,Ee=""])=>({end:h,text:A,more:Ee}))}var Ae=3;function Ne(e,t){let n=new Map;for(let r of e)n.set(r,(n.get(r)??0)+1);if(n.size===0)return T(t,"call");let s=[...n].slice(0,Ae),a=t-s.reduce((r,[,i])=>r+i,0);return s.map(([r,i])=>`${r} \xD7${i}`).join(", ")+(a>0?`, ${a} more`:"")}function R({state:e}){return e==="waiting"||e==="streaming"}var ie=["text","client","model","upstream","wire","key","state"],Me=500,Le=50,I=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let s of n)this.#e.set(s.id,s);ae(this.#e,Me)}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function le(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(s=>s!=="");return e.filter(s=>(t.client===""||(s.client??"none")===t.client)&&(t.model===""||s.model===t.model)&&(t.upstream===""||s.upstream===t.upstream)&&(t.wire===""||(s.wire??"none")===t.wire)&&(t.key===""||(s.key??"none")===t.key)&&(t.state===""||De(s,t.state))&&(n.length===0||qe(s,n)))}function ce(e){let t=n=>[...new Set(e.flatMap(s=>n(s)??[]))].slice(0,Le).sort();return{client:t(({client:n,route:s})=>s===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n),wire:t(({wire:n})=>n),key:t(({key:n,route:s})=>s===null?n??"none":n)}}function je(e){return e.rejected>0||L(e).some(({end:t})=>t!=="made"&&t!=="would")}function De(e,t){return t==="running"?R(e):t==="noted"?je(e):e.state===t}function qe(e,t){let{client:n,model:s,upstream:a,wire:r,key:i,error:c,message:l,route:u,status:p,mode:d,id:m}=e,f=[n,s,a,r,i,c,u,l,...L(e).map(({text:g,more:y})=>`${g} ${y}`),...e.remarks,p,d,m].join(`
`).toLowerCase();return t.every(g=>f.includes(g))}var Ie=2e3,Pe=50,_e={requests:[],hasContents:!1,state:"connecting"};function ue(){let[e,t]=$(_e),n=v(new I).current;return w(()=>{let s,a,r,i=0,c=-1/0,[l,u]=[!1,!1],p=()=>{r=void 0,u&&(setTimeout(()=>c=performance.now()),t({requests:n.latest,hasContents:l,state:"open"}))},d=()=>{let y=Math.max(0,Pe-(performance.now()-c));r??=setTimeout(()=>i=requestAnimationFrame(p),y)},m=()=>{s?.close(),s=void 0,u=!1},f=()=>{clearTimeout(a),!(document.hidden||s!==void 0)&&(s=new EventSource("live"),s.onmessage=({data:y})=>{let x=JSON.parse(y);n.apply(x),[l,u]=[x.hasContents,!0],d()},s.onerror=()=>{m(),t(y=>({...y,state:"lost"})),a=setTimeout(f,Ie)})},g=()=>document.hidden?m():f();return f(),document.addEventListener("visibilitychange",g),()=>{document.removeEventListener("visibilitychange",g),m(),clearTimeout(a),clearTimeout(r),cancelAnimationFrame(i)}},[]),e}function de(e){let[t,n]=$(),s=v({...e,selected:t});return s.current={...e,selected:t},w(()=>{let a=r=>{if(r.ctrlKey||r.metaKey||r.altKey||r.defaultPrevented)return;let{ids:i,opened:c,open:l,selected:u,acts:p}=s.current,d=Fe(r,Ke(r.target)),m=r.target?.closest?.("a, button, summary")!=null;if(!(d===void 0||d==="open"&&m))if(d==="filter")r.preventDefault(),document.getElementById("filter")?.focus();else if(d==="leave")r.target.blur();else if(d==="pause"||d==="clear"||d==="help")p[d]();else if(d==="close")l("");else if(d==="open")u!==void 0&&l(u);else{let f=We(i,{from:u??c,step:d});n(f),c!==void 0&&f!==void 0&&l(f),document.getElementById(`row-${f}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",a),()=>removeEventListener("keydown",a)},[]),t}function Fe({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter";case"p":return"pause";case"c":return"clear";case"?":return"help"}}function We(e,{from:t,step:n}){let s=t===void 0?-1:e.indexOf(t);return s<0?e[0]:e[Math.min(e.length-1,Math.max(0,s+n))]}function Ke(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var J={waiting:"waiting",streaming:"streaming",done:"done",cut:"cut off",error:"error",left:"client left"},P=class extends z{shouldComponentUpdate(t){let{request:n,isOpened:s,isSelected:a}=this.props;return t.request!==n||t.isOpened!==s||t.isSelected!==a}render({request:t,isOpened:n,isSelected:s,open:a}){let{id:r,state:i,beganAt:c,model:l,client:u,upstream:p,wire:d,key:m,firstMs:f,durationMs:g,route:y}=t,x=C=>{C.preventDefault(),a(r)};return o`
      <tr id=${`row-${r}`} class=${`${i} ${s?"selected":""}`} aria-current=${n?"true":void 0} onClick=${x}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${J[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${r}`} title=${D(c)} aria-label=${`Open the request of ${W(c)}`}>${W(c)}</a></td>
        <td class="c-model" title=${l??""}><span>${y===null?l??k:o`<code>${y}</code>`}</span></td>
        <td class="c-client">${u??k}</td>
        <td class="c-key" title=${m??""}>${[d,m].filter(C=>C!==null).join(" \xB7 ")||k}</td>
        <td class="c-upstream">${p??k}</td>
        <td class="number c-status">${U(t)}</td>
        <td class="number c-first">${S(f)}</td>
        <td class="number c-total">${g===null?"\u2026":S(g)}</td>
        <td class="c-calls">
          <${B} request=${t} />
        </td>
      </tr>
    `}};function U({status:e,state:t}){return e===null?"\u2026":t==="error"&&e<400?`${e} error`:String(e)}function B({request:e}){let{accepted:t,rejected:n,remarks:s,error:a,message:r,tried:i}=e;return o`
    ${L(e).map(({end:c,text:l,more:u})=>o`<span class=${`chip ${b[c].color}`} title=${`${l} ${u}`}>${l}${u===""?"":[" ",o`<span class="why">${u}</span>`]}</span>`)}
    ${t>0&&o`<span class="chip good">${t} accepted</span>`}
    ${n>0&&o`<span class="chip bad">${n} rejected</span>`}
    ${s.map(c=>o`<span class="chip plain">${c}</span>`)}
    ${a!==null&&o`<span class=${`chip ${a==="client_left"?"plain":"bad"}`} title=${r??""}>${a}${r===null?"":o`<span class="why">: ${r}</span>`}</span>`}
    ${i.length>0&&o`<span class="chip warn">after ${i.join(", ")}</span>`}
  `}function pe({parts:e,isRunning:t,marks:n,focused:s,focus:a}){return e.every(({text:r})=>r==="")?o`<p class="empty">${t?"No text yet.":"The answer has no text."}</p>`:o`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(r=>{let i=r.marks.flatMap(m=>n[m]===void 0?[]:[n[m]]);if(i.length===0)return r.text;let c=ne.find(m=>i.some(f=>f.end===m))??"remark",{color:l,word:u}=b[c],p=i.map(({reason:m,rule:f})=>`${m} (${f})`).join(`
`),d=s!==void 0&&r.marks.includes(s);return o`
        <mark class=${`${l} ${d?"focused":""}`} title=${`${u}: ${p}`}
          onMouseEnter=${()=>a(r.marks[0])} onMouseLeave=${()=>a(void 0)}>${r.text}</mark>
      `})}</pre>
  `}function me({parts:e,isRunning:t}){return e.length===0?o`<p class="empty">${t?"Nothing yet.":"The answer has no text and no call."}</p>`:o`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(n=>n.tool===null?He(n):o`<${Je} part=${n} tool=${n.tool} />`)}</div>
  `}function He({text:e,call:t,isReasoning:n}){return n?o`
      <div class="reasoning" role="group" aria-label="Reasoning">
        <div class="quiet">Reasoning</div>
        <pre>${e}</pre>
      </div>
    `:t===null?o`<pre>${e}</pre>`:o`<pre class="written"><mark class="good">${e}</mark></pre>`}var Ve={open:"is still written",done:"whole",broken:"broke off"};function Je({part:e,tool:t}){let{text:n,state:s}=e;return o`
    <div class=${`made ${s==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${s&&Ve[s]}</span></div>
      <pre>${Ue(n)}</pre>
    </div>
  `}function Ue(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var Be=200;function fe(e){let{messages:t,tools:n,...s}=JSON.parse(e);return[$e("settings",JSON.stringify(s,null,2)),...Array.isArray(n)?[Ge(n)]:[],...Array.isArray(t)?t.map(ze):[]]}function Ge(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:T(e.length,"tool"),summary:t.join(", "),text:JSON.stringify(e,null,2)}}function ze(e){let{role:t,content:n,...s}=Object(e),a=Xe(n),r=Object.keys(s).length===0?"":JSON.stringify(s,null,2);return $e(String(t??"message"),[a,r].filter(i=>i!=="").join(`

`))}function Xe(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function $e(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,Be),text:t}}function he({client:e,isStreamed:t},{chat:n,origin:s}){let a=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${s}${a} \\
  -H 'content-type: application/json' \\
  --data-raw ${Ye(n)}
`}function ge(e){let t=JSON.stringify({model:"any",messages:[{role:"user",content:"Hello"}]});return`curl ${e}/v1/chat/completions \\
  -H 'content-type: application/json' \\
  -d '${t}'
`}function Ye(e){return`'${e.replaceAll("'","'\\''")}'`}var Qe=300;function ye({request:e,hasContents:t,close:n}){let{detail:s,failure:a}=ot(e),[r,i]=$(),c=v(null);w(()=>c.current?.focus(),[]);let l=s?.contents??null,u=st(e,{hasContents:t,detail:s});return o`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${c}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${at} request=${e} detail=${s} />
      </div>
      <${Ze} request=${e} />
      ${e.state==="error"&&o`
        <p class="notice bad">The request ended with status ${e.status}${e.error!==null&&o`, error <code>${e.error}</code>`}${e.message!==null&&o`: ${e.message}`}.</p>
      `}
      ${e.nearMisses>0&&o`<${it} request=${e} detail=${s} />`}
      ${a!==""&&o`<p class="notice bad" role="alert">${a}</p>`}
      ${l===null||u!==void 0?o`<p class="notice">${H(u??"")}</p>`:o`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${pe} parts=${l.before} isRunning=${R(e)} marks=${s?.marks??[]} focused=${r}
                focus=${i} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
              <${me} parts=${l.after} isRunning=${R(e)} />
            </section>
          </div>
          ${l.isCut&&o`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
        `}
      ${s!==void 0&&(e.client!==null||s.marks?.length)&&o`
        <${lt} marks=${s.marks} isRunning=${R(e)} focused=${r} focus=${i} />
      `}
      ${l?.chat!=null&&o`<${rt} chat=${l.chat} />`}
    </article>
  `}function Ze({request:e}){let{client:t,wire:n,key:s,tried:a,upstream:r,mode:i,firstMs:c,durationMs:l,addedMs:u,tools:p,tokens:d,beganAt:m,state:f,isStreamed:g}=e,y=[["State",J[f]],["Status",U(e)],["Arrived",D(m)],["First token",S(c)],["Total",l===null?"\u2026":S(l)],["Dragoman\u2019s share",S(u)],["Client",t??"unknown"],["API",n??k],["Client key",s??"without a name"],["Upstream",(r??k)+(a.length===0?"":`, after ${a.join(", ")}`)],["Offered tools",p],["Prompt",et(e)],["Tokens",d==null?k:Q(d)],["Conversation",tt(e)],["Answer",g?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[i]]];return o`
    <dl class="facts">${y.map(([x,C])=>o`
        <div>
          <dt>${x}</dt>
          <dd>${C}</dd>
        </div>
      `)}</dl>
    <${nt} request=${e} />
    <p class="remarks">
      <${B} request=${e} />
    </p>
  `}function et({promptTokens:e,cachedTokens:t}){return e===void 0?k:t===void 0?`${e} tokens`:`${e} tokens: ${e-t} new, ${t} from the cache`}function tt({conversationPrompts:e}){if(e===void 0||e.tokens===0)return k;let{requests:t,tokens:n,cached:s}=e,a=Math.round((n-s)/n*100);return`${T(t,"request")} so far: ${a} % of ${n} tokens new`}function nt({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return o`
    <div class="timing" role="img" aria-label=${`${S(e)} until the first token, ${S(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
    <ul class="legend" aria-hidden="true">
      <li><span class="swatch wait"></span>until the first token</li>
      <li><span class="swatch accent"></span>answer</li>
    </ul>
  `}function st({client:e,route:t,upstream:n,choices:s},{hasContents:a,detail:r}){if(r===void 0)return"Loading\u2026";let i=r.contents!==null;return t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":!i&&!a?"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":e===null&&r.contents?.before.length===0?"The client is unknown, or it offers no tools, and the answer passed unchanged.":s!==1?`The request asks for ${s} answers. Their texts would run into each other, so they aren't kept.`:i?void 0:"The texts of this request aren't kept anymore."}function ot(e){let[t,n]=$(),[s,a]=$(""),r=v(-1),{id:i,accepted:c,rejected:l}=e,u=R(e);return w(()=>{let p=!0,d=async()=>{try{let f=await Z(`live/${encodeURIComponent(i)}?version=${r.current}`);if(!p||(a(""),f===void 0))return;r.current=f.version,n(f)}catch(f){p&&a(N(f))}};d();let m=u?setInterval(()=>document.hidden||void d(),Qe):void 0;return()=>{p=!1,clearInterval(m)}},[i,u,c,l]),{detail:t,failure:s}}function rt({chat:e}){let t=j(()=>fe(e),[e]);return o`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${t.map(({title:n,summary:s,text:a})=>o`
          <details>
            <summary><strong>${n}</strong><span class="quiet">${s}</span></summary>
            <pre>${a}</pre>
          </details>
        `)}
    </section>
  `}function at({request:e,detail:t}){let[n,s]=$(""),[a,r]=$(!1),i=t?.contents;if(i==null)return null;let{chat:c,before:l}=i,u=l.map(d=>d.text).join("");return o`
    <span class="actions">
      <span role="status" class="quiet">${a?"Copied":""}</span>
      ${c!==null&&o`<button onClick=${async()=>{let d=he(e,{chat:c??"",origin:location.origin}),f=await navigator.clipboard?.writeText(d).then(()=>!0,()=>!1)??!1;r(f),s(f?"":d)}} title="The command has no key">Copy as curl</button>`}
      ${u!==""&&o`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void V({text:u,client:e.client,chat:c})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&o`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}function it({request:e,detail:t}){let{client:n,command:s}=e,a=t?.contents??null,r=a?.before.map(c=>c.text).join("")??"",i=()=>void V({text:r,client:n,chat:a?.chat??null});return o`
    <section class="notice next" aria-labelledby="next-title">
      <h2 id="next-title">Near miss: the answer looks like a call that no rule reads</h2>
      ${r!==""&&o`
        <p><a class="button main" href=${E("playground",{from:"live",derive:"1"})}
            onClick=${i}>Derive a rule in the playground</a></p>
      `}
      ${s!==null&&o`
        <p>On the command line:</p>
        <${G} command=${s} />
      `}
      ${r===""&&o`
        <p>The text of this answer isn’t kept, so no rule can be derived from it here. To keep the next one,
          set <code>admin.contents: true</code> in dragoman.yaml, which applies at once${s===null&&o`, or start <code>serve --record captures</code>`}.</p>
      `}
    </section>
  `}function G({command:e}){let[t,n]=$("");return o`
    <pre class="text" tabindex="0" aria-label="The command">${e}</pre>
    <p><button onClick=${async()=>{let r=await navigator.clipboard?.writeText(e).then(()=>!0,()=>!1)??!1;n(r?"Copied":"The browser doesn\u2019t let the page copy: select the command")}}>Copy the command</button> <span role="status" class="quiet">${t}</span></p>
  `}function lt({marks:e,isRunning:t,focused:n,focus:s}){return e===null?o`<p class="empty">The decisions of this request aren't kept anymore.</p>`:e.length===0?o`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:o`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((a,r)=>o`
        <li class=${r===n?"focused":""} onMouseEnter=${()=>s(r)}
          onMouseLeave=${()=>s(void 0)}>
          <${ct} mark=${a} />
        </li>
      `)}</ol>
  `}function ct({mark:{end:e,reason:t,rule:n,tool:s,detail:a,atMs:r,characters:i}}){let{word:c,color:l}=b[e],u=[s===null?"":s,n===""?"":`rule ${n}`,a??"",i===null?"":`${i} characters`].filter(p=>p!=="").join(" \xB7 ");return o`
    <span class=${`chip ${l}`}>${c}</span>
    <code>${t}</code>
    <span>${u}</span>
    ${r!==null&&o`<span class="quiet">after ${S(r)}</span>`}
    <span class="quiet block">${H(K(t)?.meaning??"")}</span>
  `}var ut=60;function be({parameters:e}){let{live:t,isPaused:n,pause:s,clear:a}=dt(ue()),[r,i]=$(!1),c=Object.fromEntries(ie.map(h=>[h,e.get(h)??""])),l=j(()=>le(t.requests,c),[t.requests,e.toString()]),u=ft(t.requests,e.get("request")),[p,d]=$(!1),m=p?l:l.slice(0,ut),f=h=>{location.replace(E("live",{...Object.fromEntries(e),...h}))},g=h=>f({request:h}),y=()=>i(h=>!h),x={pause:s,clear:a,help:y},C=de({ids:m.map(({id:h})=>h),opened:u?.id,open:g,acts:x});return o`
    <div class=${`live ${u===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${u===void 0&&o`<h1 class="unseen">Requests</h1>`}
        <${ht} filter=${c} requests=${t.requests} go=${f}>
          <button type="button" onClick=${s} aria-pressed=${n} title="p">${n?"Go on":"Pause"}</button>
          <button type="button" onClick=${a} title="Hide the requests so far (c)">Clear</button>
          <button type="button" onClick=${y} aria-expanded=${r} aria-label="Keys" title="Keys (?)">?</button>
        <//>
        ${r&&o`<${mt} />`}
        <${yt} live=${t} shown=${l.length} />
        <${bt} requests=${m} opened=${u?.id} selected=${C} open=${g} />
        ${m.length<l.length&&o`
          <button class="more" onClick=${()=>d(!0)}>Show ${l.length-m.length} more</button>
        `}
      </section>
      ${u!==void 0&&o`
        <${ye}
          key=${u.id} request=${u} hasContents=${t.hasContents} close=${()=>g("")} />
      `}
    </div>
  `}function dt(e){let[t,n]=$(),[s,a]=$(0),r=t??e;return{live:s===0?r:{...r,requests:r.requests.filter(({beganAt:i})=>i>s)},isPaused:t!==void 0,pause:()=>n(t===void 0?e:void 0),clear:()=>a(Math.max(s,...r.requests.map(({beganAt:i})=>i)))}}var pt={"j k":"select the next or the last request",Enter:"open it",Esc:"close it","/":"filter",p:"pause",c:"clear","?":"show these keys"};function mt(){return o`
    <dl class="notice keys">${Object.entries(pt).map(([e,t])=>o`
        <div>
          <dt><kbd>${e}</kbd></dt>
          <dd>${t}</dd>
        </div>
      `)}</dl>
  `}function ft(e,t){let n=v(),s=n.current?.id===t?n.current:void 0;return n.current=e.find(a=>a.id===t)??s}var $t={running:"running",done:"done",cut:"cut off",error:"error",left:"client left",noted:"with remarks"};function ht({filter:e,requests:t,go:n,children:s}){let a=ce(t),r=l=>u=>n({[l]:u.target.value}),i=(l,u,p)=>o`
      <select aria-label=${u} value=${e[l]} onChange=${r(l)}>
        <option value="">${u}</option>
        ${p.map(([d,m])=>o`<option value=${d}>${m}</option>`)}
      </select>
    `,c=l=>[...new Set([...a[l],...e[l]===""?[]:[e[l]]])].map(u=>[u,u]);return o`
    <form class="filter" role="search" onSubmit=${l=>l.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${r("text")} />
      ${i("client","All clients",c("client"))}
      ${i("model","All models",c("model"))}
      ${i("upstream","All upstreams",c("upstream"))}
      ${i("wire","All APIs",c("wire"))}
      ${gt(a.key,e.key)&&i("key","All client keys",c("key"))}
      ${i("state","All states",Object.entries($t))}
      ${s}
    </form>
  `}function gt(e,t){return t!==""||e.some(n=>n!=="none")}function yt({live:e,shown:t}){let{requests:n,state:s}=e;return s==="connecting"?o`<p class="empty">Loading…</p>`:s==="lost"?o`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?o`
      <div class="empty">
        <p>No requests yet. Point your agent to <code>${location.origin}/v1</code>, or try it:</p>
        <${G} command=${ge(location.origin)} />
      </div>
    `:t>0?null:o`<p class="empty">No request matches the filter.</p>`}function bt({requests:e,opened:t,selected:n,open:s}){return e.length===0?null:o`
    <div class="wide" tabindex="0" role="region" aria-label="List of requests">
      <table class="requests">
        <thead>
          <tr>
            <th scope="col" class="c-state">State</th>
            <th scope="col" class="c-time">Time</th>
            <th scope="col" class="c-model">Model</th>
            <th scope="col" class="c-client">Client</th>
            <th scope="col" class="c-key">API and key</th>
            <th scope="col" class="c-upstream">Upstream</th>
            <th scope="col" class="number c-status">Status</th>
            <th scope="col" class="number c-first">First token</th>
            <th scope="col" class="number c-total">Total</th>
            <th scope="col" class="c-calls">Calls and remarks</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(a=>o`
              <${P} key=${a.id} request=${a} isOpened=${a.id===t}
                isSelected=${a.id===n} open=${s} />
            `)}
        </tbody>
      </table>
    </div>
  `}function we(){let{value:e,error:t}=O("plugins",5e3),{value:n,error:s,reload:a}=O("sections/store",3e3),r=t??s,i=async c=>{await M(`sections/store/reset?key=${encodeURIComponent(c)}`).catch(()=>{}),a()};return o`
    <h1>Plugins</h1>
    ${r!==void 0&&o`<p class="notice bad" role="alert">${r.message}</p>`}
    ${e===void 0?o`<p class="empty">Loading…</p>`:o`<${wt} plugins=${e} />`}
    <h2>What they remember</h2>
    ${n===void 0||n.length===0?o`<p class="empty">Nothing. Plugins count the strikes of a conversation, or keep calls for its next request.</p>`:o`<${vt} entries=${n} reset=${i} />`}
  `}function wt({plugins:e}){return e.length===0?o`<p class="empty">No plugin runs. <code>plugins</code> in dragoman.yaml names them.</p>`:o`
    <ol class="plugins">${e.map(({name:t,description:n,options:s,onFailure:a})=>o`
        <li key=${t}>
          <code><strong>${t}</strong></code>
          ${a==="refuse"&&o`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${n!==null&&o`<span class="block">${n}</span>`}
          <dl class="options">${Object.entries(s).map(([r,i])=>o`
              <div>
                <dt><code>${r}</code></dt>
                <dd><code>${JSON.stringify(i)}</code></dd>
              </div>
            `)}</dl>
        </li>
      `)}</ol>
  `}function vt({entries:e,reset:t}){return o`
    <div class="wide" tabindex="0" role="region" aria-label="Memory">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Value</th>
            <th scope="col" class="number">Kept for</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({key:n,value:s,leftSeconds:a})=>o`
              <tr key=${n}>
                <th scope="row"><code>${n}</code></th>
                <td>${String(s)}</td>
                <td class="number">${q(a)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var _=["made","would","left","broken","lost","repaired"];function ke({parameters:e}){let{value:t,error:n}=O("rules",5e3),[s,a]=$(!1),r=e.get("text")??"";if(n!==void 0&&t===void 0)return o`<p class="empty bad">${n.message}</p>`;if(t===void 0)return o`<p class="empty">Loading…</p>`;let i=p=>location.replace(E("rules",{text:p.target.value})),c=kt(t,r),l=!s&&r===""&&c.some(ve),u=l?c.filter(ve):c;return o`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:p})=>p===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${p=>p.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${r} onInput=${i} />
    </form>
    ${u.length===0?o`<p class="empty">No rule matches the filter.</p>`:o`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
              ${_.map(p=>o`<th scope="col" class="number">${b[p].title}</th>`)}
            </tr>
          </thead>
          <tbody>${u.map(xt)}</tbody>
        </table>
      </div>
    `}
    ${l&&o`
      <button class="more" onClick=${()=>a(!0)}>Show all ${c.length} rules</button>
    `}
  `}function ve({hits:e}){return _.some(t=>(e[t]??0)>0)}function kt(e,t){let n=a=>_.reduce((r,i)=>r+(a.hits[i]??0),0),s=t.trim().toLowerCase();return e.filter(({rule:a,description:r})=>`${a}
${r}`.toLowerCase().includes(s)).toSorted((a,r)=>n(r)-n(a)||+(a.whyOff!==null)-+(r.whyOff!==null)||(a.rule<r.rule?-1:1))}function xt({rule:e,description:t,whyOff:n,confidence:s,hits:a}){return o`
    <tr key=${e}>
      <th scope="row"><a href=${E("figures",{of:`rule ${e}`})} title="Its figures over time"><code>${e}</code></a><span class="quiet block">${t}</span></th>
      <td>${n===null?o`<span class="chip good">on</span>`:o`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td class="number">${s.toFixed(2)}</td>
      ${_.map(r=>o`<td class="number">${a[r]??o`<span class="quiet">–</span>`}</td>`)}
    </tr>
  `}var F=[{name:"live",title:"Live",load:()=>Promise.resolve(be)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-c6f99b06.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(ke)},{name:"playground",title:"Playground",load:async()=>await(await import("./load-35df1d6f.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(we)},{name:"canary",title:"Canary",load:()=>Promise.resolve(Tt)}],St={live:"live: converted",dry_run:"dry run: not converted",excluded:"canary: not converted"};function Tt(){let{value:e,error:t}=O("figures",5e3);if(t!==void 0&&e===void 0)return o`<p class="empty bad">${t.message}</p>`;if(e===void 0)return o`<p class="empty">Loading…</p>`;let{canary:n,modes:s}=e;return o`
    <h1>Canary</h1>
    ${n===null?o`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`:o`<p class="notice"><strong>${n.sentence}</strong> The live side has ${Y(n.share)} of the
          answers.</p>`}
    <${se} kind="mode" rows=${s.map(a=>({...a,name:St[a.name]??a.name}))} />
  `}var Ot=1e4;function Se(){let e=Nt(),t=O("status",Ot);return t.error?.status===401?o`<${Lt} onKnown=${t.reload} />`:o`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${F.map(({name:n,title:s})=>o`<a href=${E(n)} aria-current=${e.view===n?"page":void 0}>${s}</a>`)}
      </nav>
      <${Ct} status=${t.value} isLost=${t.error!==void 0} />
      <${Mt} onEnded=${t.reload} />
    </header>
    <main id="main" tabindex="-1">
      <${At} key=${e.view} route=${e} />
    </main>
  `}var Te="Reloaded",Et=5e3;function Ct({status:e,isLost:t}){let[n,s]=$("");w(()=>{let i=n===Te?setTimeout(()=>s(""),Et):void 0;return()=>clearTimeout(i)},[n]);let a=async()=>{s("Reloading\u2026"),s(await M("reload").then(Rt,N))},r=t?"no connection":e===void 0?"":`v${e.version}, up ${q(e.uptimeSeconds)}`;return o`
    <span class=${`server ${t?"bad":""}`} role="status" title=${e===void 0?"":re(e)}>${n===""?r:n}</span>
    <button onClick=${a}
      title="Read dragoman.yaml, the rules, the clients and the plugins again">Reload settings</button>
  `}function Rt({isReloaded:e,errors:t,diagnostics:n}){return e?Te:`Not reloaded: ${T(t,"error")}. ${n[0]?.message??""}`}function At({route:e}){let[t,n]=$(),[s,a]=$(""),r=F.find(({name:i})=>i===e.view);return w(()=>{r!==void 0&&(document.title=`${r.title} \xB7 Dragoman`,r.load().then(i=>n(()=>i),i=>a(N(i))))},[r]),r===void 0?o`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:s!==""?o`<p class="empty bad">Cannot load this view: ${s}</p>`:t===void 0?o`<p class="empty">Loading…</p>`:o`
    <${t} parameters=${e.parameters} />
  `}function Nt(){let[e,t]=$(xe);return w(()=>{let n=()=>t(xe());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function xe(){let e=te(location.hash);return e.view===""?{...e,view:F[0]?.name??""}:e}function Mt({onEnded:e}){let{value:t}=O("session");return t?.session!==!0?null:o`<button onClick=${()=>void ee("session").then(e,e)}>Sign out</button>`}function Lt({onKnown:e}){let[t,n]=$(""),s=v(null);return w(()=>s.current?.focus(),[]),o`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <p>This proxy’s page needs a key, because it shows who asks what.</p>
      <form onSubmit=${async r=>{r.preventDefault();try{await M("session",s.current?.value.trim()),e()}catch(i){n(N(i))}}}>
        <label for="key">Key</label>
        <input id="key" ref=${s} type="password" autocomplete="current-password" required
          aria-describedby="key-help" />
        <button>Sign in</button>
        <p id="key-help" class="quiet">
          Whoever runs the proxy has it. On the machine of the proxy, the key that your agent uses works, too.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}var Oe=document.getElementById("app");Oe!==null&&X(o`<${Se} />`,Oe);
