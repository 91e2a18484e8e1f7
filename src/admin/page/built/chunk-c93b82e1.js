import{c as n,d as h,e as b,f as u,h as $,j as f,k as a,l as t,p as m,r as v}from"./chunk-580edf07.js";function A(e,r){let[c,s]=h({value:void 0,error:void 0}),i=u(!1),d=u(e);d.current=e;let l=$(async()=>{try{let o=await v(e);i.current=!1,d.current===e&&s({value:o,error:void 0})}catch(o){let p=o instanceof m?o:new m(String(o),0);i.current=p.status===401,d.current===e&&s(({value:R})=>({value:R,error:p}))}},[e]);return b(()=>{if(l(),r===void 0)return;let o=setInterval(()=>document.hidden||i.current||void l(),r);return()=>clearInterval(o)},[l,r]),{...c,reload:()=>void l()}}var S={requests:{title:"Requests",of:({requests:e})=>t(e)},errors:{title:"Errors",of:({errors:e})=>t(e)},errorRate:{title:"Error rate",of:({errorRate:e})=>a(e)},answers:{title:"Answers with tools",of:({answers:e})=>t(e)},printed:{title:"Printed calls as text",of:({printedAsTextRate:e})=>a(e)},reached:{title:"Reached the agent as text",of:({reachedAsText:e})=>t(e)},nearMisses:{title:"Near misses",of:({nearMisses:e})=>t(e)},candidates:{title:"Candidates",of:({candidates:e})=>t(e)},attempts:{title:"Attempts",of:({attempts:e})=>t(e)},converted:{title:"Transformed",of:({transformationRate:e})=>a(e)},success:{title:"Success",of:({successRate:e})=>a(e)},accepted:{title:"Accepted",of:({acceptanceRate:e})=>a(e)},repairs:{title:"Repairs",of:({repairs:e})=>t(e)},tokens:{title:"Tokens",of:({tokens:e})=>t(e)},first:{title:"First token",of:({firstMsMean:e})=>f(e)},total:{title:"Total",of:({durationMsMean:e})=>f(e)}};function y(e){return e.map(r=>S[r])}var k={model:"Model",rule:"Rule",mode:"Mode",wire:"API",key:"Client key",upstream:"Upstream"},g=["reached","candidates","attempts","success","accepted","repairs"],w=e=>y(e==="rule"?g:["requests","errors","printed",...g,"nearMisses","tokens","first","total"]);function O({kind:e,rows:r}){if(r.length===0)return n`<p class="empty">Nothing yet.</p>`;let c=w(e);return n`
    <div class="wide" tabindex="0" role="region" aria-label=${`Figures by ${e}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">${k[e]}</th>
            ${c.map(({title:s})=>n`<th scope="col" class="number">${s}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${r.map(s=>n`
              <tr key=${s.name}>
                <th scope="row">${s.name}</th>
                ${c.map(({of:i})=>n`<td class="number">${i(s)}</td>`)}
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}export{A as a,O as b};
