import{c as a,d as w,e as b,f,h as k,j as d,k as n,l as t,q as p,s as h}from"./chunk-b47554d9.js";function _(e,r){let[i,o]=w({value:void 0,error:void 0}),l=f(!1),u=f(e);u.current=e;let c=k(async()=>{try{let s=await h(e);l.current=!1,u.current===e&&o({value:s,error:void 0})}catch(s){let m=s instanceof p?s:new p(String(s),0);l.current=m.status===401,u.current===e&&o(({value:v})=>({value:v,error:m}))}},[e]);return b(()=>{if(c(),r===void 0)return;let s=setInterval(()=>document.hidden||l.current||void c(),r);return()=>clearInterval(s)},[c,r]),{...i,reload:()=>void c()}}var x={requests:{title:"Requests",of:({requests:e})=>t(e)},errors:{title:"Errors",of:({errors:e})=>t(e)},errorRate:{title:"Error rate",of:({errorRate:e})=>n(e)},answers:{title:"Answers with tools",of:({answers:e})=>t(e)},printed:{title:"Printed calls as text",of:({printedAsTextRate:e})=>n(e)},reached:{title:"Reached the agent as text",of:({reachedAsText:e})=>t(e)},nearMisses:{title:"Near misses",of:({nearMisses:e})=>t(e)},candidates:{title:"Candidates",of:({candidates:e})=>t(e)},attempts:{title:"Attempts",of:({attempts:e})=>t(e)},converted:{title:"Transformed",of:({transformationRate:e})=>n(e)},success:{title:"Success",of:({successRate:e})=>n(e)},accepted:{title:"Accepted",of:({acceptanceRate:e})=>n(e)},repairs:{title:"Repairs",of:({repairs:e})=>t(e)},tokens:{title:"Tokens",of:({tokens:e})=>t(e)},first:{title:"First token, p50",of:({firstMsMedian:e})=>d(e)},firstSlow:{title:"p95",of:({firstMsSlow:e})=>d(e)},total:{title:"Total, p50",of:({durationMsMedian:e})=>d(e)},totalSlow:{title:"p95",of:({durationMsSlow:e})=>d(e)}};function R(e){return e.map(r=>x[r])}var E={model:"Model",rule:"Rule",mode:"Mode",wire:"API",key:"Client key",upstream:"Upstream"},S=["reached","candidates","attempts","success","accepted","repairs"],$=e=>R(e==="rule"?S:["requests","errors","printed",...S,"nearMisses","tokens","first","firstSlow","total","totalSlow"]);function C({kind:e,rows:r}){if(r.length===0)return a`<p class="empty">Nothing yet.</p>`;let i=$(e);return a`
    <div class="wide" tabindex="0" role="region" aria-label=${`Figures by ${e}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">${E[e]}</th>
            ${i.map(({title:o})=>a`<th scope="col" class="number">${o}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${r.map(o=>a`
              <tr key=${o.name}>
                <th scope="row">${o.name}</th>
                ${i.map(({of:l})=>a`<td class="number">${l(o)}</td>`)}
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var I={made:{word:"call",title:"Calls",color:"good"},would:{word:"not converted",title:"Not converted",color:"plain"},left:{word:"left as text",title:"Left as text",color:"warn"},near:{word:"near miss",title:"Near misses",color:"warn"},refused:{word:"refused",title:"Refused",color:"warn"},broken:{word:"broke off",title:"Broke off",color:"bad"},lost:{word:"lost",title:"Lost",color:"bad"},dropped:{word:"dropped",title:"Dropped",color:"plain"},repaired:{word:"repair",title:"Repairs",color:"accent"},remark:{word:"remark",title:"Remarks",color:"plain"}},D=["made","would","lost","broken","refused","near","left","dropped","repaired","remark"];export{_ as a,I as b,D as c,C as d};
